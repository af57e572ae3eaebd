// ------------------------------------------------------------------------------- all of it

const STYLE = `
.boardrules { color: #111; background: #fff; font-family: Arial, Helvetica, sans-serif;
  padding: 2px; box-sizing: border-box; max-width: 100%; }
.boardrules .picture { position: relative; container-type: inline-size; margin: 0 auto;
  max-width: min(100%, 1400px, max(640px, calc((100vh - 232px) * var(--ratio, 1.8)))); }
.boardrules svg { display: block; width: 100%; height: auto; }
.boardrules .cell { outline: none; cursor: default; }
.boardrules .edge { fill: none; stroke: #333; stroke-width: 1.5; }
.boardrules .cell:focus .edge { stroke: #d55e00; stroke-width: 7; }
.boardrules .cell:focus .inner { fill: none; stroke: #fff; stroke-width: 2; }
.boardrules .inner { fill: none; stroke: none; }
.boardrules .token, .boardrules .mark { pointer-events: none; }
.boardrules .panel { position: absolute; box-sizing: border-box; overflow: auto; display: flex;
  flex-flow: row wrap; align-content: flex-start; gap: 0.4em 1.4em; padding: 0.5em 0.9em;
  font-size: 15px; font-size: clamp(11px, 1.9cqw, 32px); line-height: 1.25; }
.boardrules .panel:focus-visible { outline: 3px solid #d55e00; }
.boardrules .panel > div { flex: 1 1 13em; min-width: 0; }
.boardrules .panel p, .boardrules .panel ul { margin: 0 0 0.35em; padding: 0; }
.boardrules .panel ul { padding-left: 1.1em; list-style: disc; }
.boardrules .head { font-weight: bold; color: #444; font-size: 0.85em; }
.boardrules .panel .now { font-weight: bold; font-size: 1.25em; margin-bottom: 0.5em; }
.boardrules table { border-collapse: collapse; width: 100%; font-size: 1em; color: #111; }
.boardrules caption { text-align: left; font-weight: bold; color: #444; font-size: 0.85em; }
.boardrules th, .boardrules td { text-align: left; font-weight: normal; padding: 0.06em 0.4em 0.06em 0;
  vertical-align: middle; background: #fff; color: #111; }
.boardrules td.chance { text-align: right; padding-right: 0; white-space: nowrap; font-weight: bold; }
.boardrules td.bars { width: 28%; min-width: 1.6em; }
.boardrules .many table { font-size: 0.8em; }
.boardrules .many td.bars { width: 20%; }
.boardrules .panel .person { display: flex; gap: 0.5em; align-items: flex-start; }
.boardrules .panel .person svg { flex: none; width: 1.6em; margin-top: -0.15em; }
.boardrules .panel .small { color: #444; font-size: 0.85em; margin-top: 0.6em; }
.boardrules .panel .note { margin-top: 0.5em; }
.boardrules .share { height: 0.7em; background: #0072b2; min-width: 1px; }
.boardrules .scale { display: flex; gap: 0.5em; align-items: center; font-size: 0.85em; }
.boardrules .scale i { flex: 0 1 10em; height: 0.9em; border: 1px solid #333; }
.boardrules .bar, .boardrules form { display: flex; flex-wrap: wrap; gap: 6px 8px;
  align-items: center; justify-content: center; margin: 6px auto 2px; font-size: 16px; }
.boardrules .bar label { display: inline-flex; gap: 6px; align-items: center; margin: 0; }
.boardrules form label { margin: 0; }
.boardrules :is(.bar, form) :is(input, select, button) { font: inherit; font-size: 16px; margin: 0;
  height: 34px; box-sizing: border-box; border: 2px solid #333; border-radius: 3px;
  background: #fff; color: #111; }
.boardrules :is(.bar, form) :is(input, select) { padding: 2px 6px; }
.boardrules form input { width: 12em; }
.boardrules .bar input { width: 5.2em; }
.boardrules .bar input.long { width: 7em; }
.boardrules :is(.bar, form) button { padding: 2px 12px; background: #eee; cursor: pointer; }
.boardrules :is(.bar, form) button:hover { background: #ddd; }
.boardrules .bar button.main { background: #0072b2; color: #fff; border-color: #00364f; }
.boardrules .bar button.main:hover { background: #005a8c; }
.boardrules :is(.bar, form) :focus-visible { outline: 3px solid #d55e00; outline-offset: 1px; }
.boardrules .message { font-weight: bold; font-size: 16px; margin: 4px 0 0; text-align: center; }
.boardrules .message:empty { display: none; }
.boardrules .heard { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
`;


const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function render({ model, el }) {
  const root = element("div", "boardrules");
  const style = element("style", "", STYLE);
  const picture = element("div", "picture");
  const svg = shape("svg", { role: "group", "font-family": "Arial, Helvetica, sans-serif" });
  const panel = element("div", "panel");
  const bar = element("div", "bar");
  const heard = element("p", "heard");
  const message = element("p", "message");
  heard.setAttribute("role", "status");
  heard.setAttribute("aria-live", "polite");
  message.setAttribute("role", "alert");
  bar.setAttribute("role", "group");
  picture.append(svg, panel);

  const form = element("form");
  const label = element("label");
  const input = element("input");
  const send = element("button", "", "Answer");
  const id = `boardrules-${Math.random().toString(36).slice(2)}`;
  label.htmlFor = id;
  input.id = id;
  input.type = "text";
  input.maxLength = 200;
  input.autocomplete = "off";
  send.type = "submit";
  form.append(label, input, send);
  root.append(style, picture, bar, form, message, heard);
  el.append(root);

  let cells = new Map();
  let order = [];
  let here = 0;
  let tokens = [];
  let marks = [];
  let pieces = []; // whose tokens there are, and where they stand now
  let places = [];
  let fields = new Map(); // what is chosen in the bar
  let stop = () => {}; // ends a film

  // ---- the board

  function focusOn(place) {
    order[here]?.setAttribute("tabindex", -1);
    here = place;
    order[here]?.setAttribute("tabindex", 0);
  }

  function board() {
    const drawing = model.get("drawing");
    picture.style.display = drawing.cells ? "" : "none";
    if (!drawing.cells) return;
    cells = drawSquares(svg, drawing);
    order = [...cells.values()].map((one) => one.group);
    tokens = marks = [];
    framed = null;
    picture.style.setProperty("--ratio", (drawing.width + 4) / (drawing.height + 4));
    focusOn(0);
    names();
    everything();
  }

  let framed = null;
  function frame(fringed) {
    if (framed === fringed) return;
    framed = fringed;
    const drawing = model.get("drawing");
    const [x, y, width, height] = drawing.panel;
    const [side, edge] = fringed ? drawing.fringe : [0, 0];
    const across = (part) => `${(100 * part) / (drawing.width + 4)}%`;
    const down = (part) => `${(100 * part) / (drawing.height + 4)}%`;
    panel.style.left = across(x + 2 + side);
    panel.style.top = down(y + 2 + edge);
    panel.style.width = across(width - 2 * side);
    panel.style.height = down(height - 2 * edge);
  }

  function names() {
    const count = model.get("drawing").cells?.length ?? 0;
    const text = `${model.get("label")}: ${count} places. Arrow keys go from one to the next.`;
    svg.setAttribute("aria-label", text);
    bar.setAttribute("aria-label", `Buttons of ${model.get("label")}`);
  }

  function warm(heat, scene) {
    frame(scene.marks.length > 0);
    marks.forEach((one) => one.remove());
    marks = scene.marks.map((one) => drawMark(one, "mark"));
    if (tokens.length) tokens[0].before(...marks);
    else svg.append(...marks);
    paintSquares(cells, heat, standing(pieces, places), scene.notes);
  }

  // tokens go where they now stand; the one that moved, along its way
  function place(now, way, who, time) {
    const radius = model.get("drawing").radius;
    if (tokens.length !== pieces.length) {
      forget();
      tokens = pieces.map(({ shapes }) => drawMark({ at: [0, 0], shapes }, "token"));
      tokens.forEach((one) => { one.style.transform = ""; });
      svg.append(...tokens);
    }
    places = now;
    spots(cells, places, radius).forEach((spot, k) =>
      travel(tokens[k], cells, spot, k === who ? way : [], k === who ? time : 450));
    root.dataset.token = places[0] ?? "";
  }

  function forget() {
    tokens.forEach((one) => one.remove());
    tokens = [];
  }

  // what the kernel says of the board, unless a film is shown
  function everything() {
    if (film()) return;
    const scene = model.get("scene");
    const alone = model.get("token");
    const drawing = model.get("drawing");
    if (!drawing.cells) return;
    const crowd = scene.pieces ?? [];
    const now = alone ? [{ name: "", shapes: drawing.token }, ...crowd] : crowd;
    if (!same(now, pieces)) forget();
    pieces = now;
    const stands = alone ? [alone, ...(scene.at ?? [])] : scene.at ?? [];
    const way = model.get("way");
    const fits = way.length && way[way.length - 1][0] === alone;
    place(stands, fits ? way : [], 0, fits ? 1600 : 450);
    warm(model.get("heat"), { marks: scene.marks ?? [], notes: scene.notes ?? {} });
  }

  // ---- words

  function write(told) {
    fillPanel(panel, told);
    panel.style.display = Object.keys(told).length ? "" : "none";
    if (!measuring) measuring = requestAnimationFrame(fromTheTop);
  }

  // once a frame, since measuring makes the browser lay out the page
  let measuring = 0;
  function fromTheTop() {
    measuring = 0;
    panel.scrollTop = 0;
    reach();
  }

  // a panel that has more to show than fits can be scrolled with the keyboard
  function reach() {
    const over = panel.scrollHeight > panel.clientHeight + 1;
    if (over) panel.setAttribute("tabindex", 0);
    else panel.removeAttribute("tabindex");
  }

  function say(text) {
    if (heard.textContent !== text) heard.textContent = text;
  }

  function complain(text) {
    if (message.textContent !== text) message.textContent = text;
  }

  function sayWhereIt() {
    const stands = cells.get(model.get("token"));
    say(model.get("said") || (stands ? `Token on ${stands.cell.name}` : ""));
  }

  function ask() {
    label.textContent = model.get("asks");
    send.textContent = model.get("button");
    form.style.display = model.get("asks") ? "" : "none";
    complain(model.get("message"));
  }

  // ---- the row of buttons, or a film with its own

  let shown = null;

  function buttons() {
    if (film()) return;
    const now = [model.get("bar"), model.get("choices").map(({ value, ...rest }) => rest)];
    if (!same(now, shown)) {
      shown = now;
      fields = new Map();
      bar.replaceChildren();
      for (const one of model.get("choices")) {
        const field = one.options
          ? choiceOf(one.options, one.value)
          : numberBox(one.low, one.high, one.value);
        if (!one.options) field.className = "long";
        field.addEventListener("change", () =>
          model.send({ choose: one.name, value: field.value }));
        fields.set(one.name, field);
        bar.append(labelled(one.name, field));
      }
      for (const { name, tip, main } of model.get("bar")) {
        const made = button(name, tip, () => model.send({ press: name }));
        if (main) made.className = "main";
        bar.append(made);
      }
    }
    for (const { name, value } of model.get("choices")) fields.get(name).value = value;
    bar.style.display = bar.childElementCount ? "" : "none";
  }

  const film = () => (model.get("film").shots ?? []).length > 0;

  function roll() {
    stop();
    stop = () => {};
    if (!film()) return;
    shown = null;
    bar.style.display = "";
    forget();
    pieces = model.get("film").pieces;
    stop = player(model.get("film"), bar, { place, warm, write, say, complain });
  }

  // ---- keys

  svg.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const count = order.length;
    let to = null;
    if (event.key in moves) to = (here + moves[event.key] + count) % count;
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = count - 1;
    // space plays a film, or goes on: what the button does that stands out
    const main = event.key === " " ? bar.querySelector("button.main") : null;
    if (to === null && !main) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (main) {
      main.click();
      return;
    }
    focusOn(to);
    order[to].focus();
  });
  // on the div: a drawing that listens for focus becomes a stop of its own for the Tab key
  picture.addEventListener("focusin", (event) => {
    const found = order.indexOf(event.target.closest(".cell"));
    if (found >= 0 && found !== here) focusOn(found);
  });
  keepKeys(form);
  keepKeys(bar);
  keepKeys(panel); // which can be scrolled with keys
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (!input.value.trim()) return;
    model.send({ answer: input.value });
    input.value = "";
    input.focus();
  });

  // several changes of one message are drawn once
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => { waiting = false; everything(); });
  };

  const told = (run) => () => { if (!film()) run(); };
  const watched = {
    "change:drawing": () => { board(); roll(); },
    "change:label": names,
    "change:heat": soon,
    "change:scene": soon,
    "change:token": () => { soon(); told(sayWhereIt)(); },
    "change:panel": told(() => write(model.get("panel"))),
    "change:said": told(sayWhereIt),
    "change:asks": ask,
    "change:button": ask,
    "change:message": ask,
    "change:bar": buttons,
    "change:choices": buttons,
    "change:film": () => { roll(); buttons(); everything(); },
  };
  for (const [name, run] of Object.entries(watched)) model.on(name, run);
  board();
  ask();
  buttons();
  roll();
  if (!film()) {
    write(model.get("panel"));
    sayWhereIt();
  }
  const size = new ResizeObserver(reach);
  size.observe(picture);

  return () => {
    stop();
    cancelAnimationFrame(measuring);
    size.disconnect();
    for (const [name, run] of Object.entries(watched)) model.off(name, run);
    root.remove();
  };
}

export default { render };
