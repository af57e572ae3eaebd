// ------------------------------------------------------------------- a game, sent as a whole

const SPEEDS = [
  ["very slow: 4 s a step", 4000], ["slow: 2 s a step", 2000], ["normal: 1 s a step", 1000],
  ["fast: 0.4 s a step", 400], ["very fast: 0.1 s a step", 100], ["as fast as it goes", 16],
];
const TOP = 5; // squares in the table of counts

// Plays `film` on a `stage`, which can place, warm, write, say and complain.  No kernel is needed.
function player(film, bar, stage) {
  const shots = film.shots;
  let here = 0;
  let timer = 0;
  // a shot tells where its own token stands, and who owns what if that has changed
  let places = film.starts;
  let scene = { marks: [], notes: {} };
  const known = shots.map((shot) => {
    if (places[shot.who] !== shot.at) {
      places = [...places];
      places[shot.who] = shot.at;
    }
    scene = shot.scene ?? scene;
    return { places, scene };
  });
  let counts = { upto: 0, of: new Map(), all: 0 };

  const written = (text) => text.replace(/(\d)\.(\d)/g, `$1${film.decimal}$2`);
  const speed = choiceOf(SPEEDS.map(([text, time]) => [written(text), time]), 1000);
  const turn = numberBox(1, film.turns, 1);
  const play = button("Play", "play on, or stop", () => (timer ? pause() : start()));
  const parts = [
    button("Start again", "to the start", () => go(0)),
    button("Back", "one step back", () => go(here - 1)),
    button("Step", "one step on", () => go(here + 1)),
    play,
    labelled("Speed", speed),
    labelled(`Jump to turn (1 to ${film.turns})`, turn),
  ];
  play.classList.add("main");
  bar.replaceChildren(...parts);
  speed.addEventListener("change", () => { if (timer) start(); });
  turn.addEventListener("change", () => jump(turn.value));

  function start() {
    clearTimeout(timer);
    if (here === shots.length - 1) show(0, false);
    play.textContent = "Pause";
    timer = setTimeout(next, Number(speed.value));
  }

  function next() {
    show(here + 1, true);
    if (here === shots.length - 1) pause();
    else timer = setTimeout(next, Number(speed.value));
  }

  function pause() {
    clearTimeout(timer);
    const was = timer;
    timer = 0;
    play.textContent = "Play";
    if (was) stage.say(spoken());
  }

  function go(to) {
    pause();
    if (to < 0) stage.complain("This is the start of the film.");
    else if (to >= shots.length) stage.complain("This is the end of the film.");
    else show(to, true);
  }

  function jump(told) {
    const number = Number(told);
    if (told.trim() === "" || !Number.isInteger(number) || number < 1 || number > film.turns) {
      const said = told.trim() ? `“${told.slice(0, 20)}” is none of them` : "that is none of them";
      stage.complain(`There are turns 1 to ${film.turns}; ${said}.`);
      return;
    }
    pause();
    let to = shots.findIndex((shot) => shot.turn >= number);
    if (to < 0) to = shots.length - 1;
    show(to, false);
  }

  function count(upto) {
    if (upto < counts.upto) counts = { upto: 0, of: new Map(), all: 0 };
    for (let k = counts.upto + 1; k <= upto; k += 1) {
      for (const id of shots[k].count) counts.of.set(id, (counts.of.get(id) ?? 0) + 1);
      counts.all += shots[k].count.length;
    }
    counts.upto = upto;
  }

  const share = (part) => written(`${(100 * part).toFixed(1)}%`);

  function heat() {
    const warm = {};
    const most = Math.max(...counts.of.values(), 1);
    for (const [id, times] of counts.of) {
      const [fill, ink] = film.shades[Math.round(((film.shades.length - 1) * times) / most)];
      warm[id] = { fill, ink, text: `${times}`, said: `${times} times` };
    }
    return warm;
  }

  function table() {
    return [...counts.of].sort(([, a], [, b]) => b - a).slice(0, TOP).map(([id, times]) => {
      const long = Object.hasOwn(film.long, id) ? ` (${share(film.long[id])})` : "";
      return [film.names[id], `${share(times / counts.all)}${long}`, times];
    });
  }

  const title = () => `${film.title}, turn ${shots[here].turn} of ${film.turns}`;
  const spoken = () => [title(), ...shots[here].story, shots[here].now].join(" ");

  function show(to, moving) {
    const forward = to === here + 1;
    here = to;
    const shot = shots[to];
    const { places, scene } = known[to];
    count(to);
    const time = !moving ? 0 : timer ? 0.8 * Number(speed.value) : 1600;
    stage.place(places, forward ? shot.way : [], shot.who, forward ? time : Math.min(time, 450));
    stage.warm(film.heat ? heat() : {}, scene);
    const told = { title: title(), story: shot.story, now: shot.now, small: film.note };
    if (film.pieces.some(({ name }) => name)) {
      told.people = film.pieces.map(({ name, shapes }, who) =>
        ({ shapes, text: `${name}: ${film.names[places[who]]}` }));
    }
    if (film.heat && counts.all) {
      told.caption = `${film.counted.join(` ${counts.all} `)} so far${film.compared}`;
      told.answers = table();
    }
    stage.write(told);
    if (document.activeElement !== turn || !timer) turn.value = shot.turn;
    if (!timer || Number(speed.value) >= 1000) stage.say(spoken());
    stage.complain("");
  }

  show(0, false);
  return () => clearTimeout(timer);
}
