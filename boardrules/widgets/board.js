// The board in a notebook: squares with their heat, a token, room to write, and an answer box.
//
// Everything to draw comes from the kernel as plain data; text is only ever set as text, so no
// name can become part of the page.  Works with the keyboard and is read out by screen readers.

const SVG = "http://www.w3.org/2000/svg";

const STYLE = `
.boardrules { color: #111; background: #fff; font-family: Arial, Helvetica, sans-serif;
  padding: 2px; box-sizing: border-box; max-width: 100%; }
.boardrules .picture { position: relative; container-type: inline-size; margin: 0 auto;
  max-width: min(100%, 1400px, max(640px, calc((100vh - 270px) * 1.82))); }
.boardrules svg { display: block; width: 100%; height: auto; }
.boardrules .cell { outline: none; cursor: default; }
.boardrules .edge { fill: none; stroke: #333; stroke-width: 1.5; }
.boardrules .cell:focus .edge { stroke: #d55e00; stroke-width: 7; }
.boardrules .cell:focus .inner { fill: none; stroke: #fff; stroke-width: 2; }
.boardrules .inner { fill: none; stroke: none; }
.boardrules .token { transition: transform 0.45s ease-in-out; pointer-events: none; }
@media (prefers-reduced-motion: reduce) { .boardrules .token { transition: none; } }
.boardrules .panel { position: absolute; box-sizing: border-box; overflow: auto; display: flex;
  flex-flow: row wrap; align-content: flex-start; gap: 0.4em 1.4em; padding: 0.5em 0.9em;
  font-size: 15px; font-size: clamp(11px, 1.9cqw, 32px); line-height: 1.25; }
.boardrules .panel:focus-visible { outline: 3px solid #d55e00; }
.boardrules .panel > div { flex: 1 1 14em; min-width: 0; }
.boardrules .panel p, .boardrules .panel ul { margin: 0 0 0.35em; padding: 0; }
.boardrules .panel ul { padding-left: 1.1em; list-style: disc; }
.boardrules .head { font-weight: bold; color: #444; font-size: 0.85em; }
.boardrules .panel .now { font-weight: bold; font-size: 1.25em; margin-bottom: 0.5em; }
.boardrules table { border-collapse: collapse; width: 100%; font-size: 1em; color: #111; }
.boardrules caption { text-align: left; font-weight: bold; color: #444; font-size: 0.85em; }
.boardrules th, .boardrules td { text-align: left; font-weight: normal; padding: 0.06em 0.5em 0.06em 0;
  vertical-align: middle; background: #fff; color: #111; }
.boardrules td.chance { text-align: right; white-space: nowrap; font-weight: bold; }
.boardrules td.bars { width: 38%; }
.boardrules .many table { font-size: 0.8em; }
.boardrules .many td.bars { width: 20%; }
.boardrules .panel .note { margin-top: 0.5em; }
.boardrules .bar { height: 0.7em; background: #0072b2; min-width: 1px; }
.boardrules .scale { display: flex; gap: 0.5em; align-items: center; font-size: 0.85em; }
.boardrules .scale i { flex: 0 1 10em; height: 0.9em; border: 1px solid #333; }
.boardrules form { display: flex; flex-wrap: wrap; gap: 8px; align-items: center;
  margin: 6px auto 2px; font-size: 16px; }
.boardrules form input { font: inherit; width: 12em; padding: 3px 6px; border: 2px solid #333;
  border-radius: 3px; background: #fff; color: #111; }
.boardrules form button { font: inherit; padding: 3px 14px; border: 2px solid #333;
  border-radius: 3px; background: #eee; color: #111; cursor: pointer; }
.boardrules form :focus-visible { outline: 3px solid #d55e00; }
.boardrules .message { font-weight: bold; margin: 0; }
.boardrules .heard { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
`;

function element(name, cls, text) {
  const made = document.createElement(name);
  if (cls) made.className = cls;
  if (text !== undefined) made.textContent = text;
  return made;
}

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function rectangle([x, y, width, height], more) {
  return shape("rect", { x, y, width, height, ...more });
}

// ------------------------------------------------------------------------------ the squares

function drawSquares(svg, drawing) {
  const cells = new Map();
  svg.replaceChildren();
  svg.setAttribute("viewBox", `-2 -2 ${drawing.width + 4} ${drawing.height + 4}`);
  if (drawing.track.length) {
    svg.append(
      rectangle(drawing.track, { fill: "none", stroke: "#ccc", "stroke-width": 10 }),
    );
  }
  for (const cell of drawing.cells) {
    const group = shape("g", { class: "cell", role: "img", tabindex: -1, "data-square": cell.id });
    const title = shape("title", {});
    const ground = rectangle(cell.box, { fill: "#fff" });
    group.append(title, ground);
    const [x, y, , height] = cell.box;
    if (cell.letter) {
      group.append(
        rectangle([x, y, cell.stripe, height], { fill: cell.colour }),
        shape("text", {
          x: x + cell.stripe / 2, y: y + height / 2 + 5, "text-anchor": "middle",
          "font-size": cell.letter.length > 1 ? 12 : 15, "font-weight": "bold",
          fill: cell.letter_ink,
        }, cell.letter),
      );
    }
    const inked = cell.lines.map(([left, low, line]) =>
      shape("text", { x: left, y: low, "font-size": cell.size }, line));
    const [hx, hy, hsize] = cell.heat_at;
    const heat = shape("text", { x: hx, y: hy, "font-size": hsize, "font-weight": "bold" });
    const [nx, ny, nsize] = cell.number_at;
    const number = shape("text",
      { x: nx, y: ny, "font-size": nsize, "text-anchor": "end" }, cell.number);
    const [bx, by, bw, bh] = cell.box;
    group.append(...inked, heat, number, rectangle(cell.box, { class: "edge" }),
      rectangle([bx + 4, by + 4, bw - 8, bh - 8], { class: "inner" }));
    svg.append(group);
    cells.set(cell.id, { cell, group, title, ground, heat, number, inked });
  }
  return cells;
}

function paintSquares(cells, heat, token) {
  for (const [id, one] of cells) {
    const warm = Object.hasOwn(heat, id) ? heat[id] : null;
    one.ground.setAttribute("fill", warm ? warm.fill : "#ffffff");
    for (const text of [...one.inked, one.heat]) {
      text.setAttribute("fill", warm ? warm.ink : "#111111");
    }
    one.number.setAttribute("fill", warm ? warm.ink : "#595959");
    one.heat.textContent = warm ? warm.text : "";
    const said = [[one.cell.number, one.cell.name].filter(Boolean).join(" ")];
    if (warm) said.push(warm.text);
    if (id === token) said.push("token here");
    one.title.textContent = said.join(", ");
    one.group.setAttribute("aria-label", said.join(", "));
  }
}

function drawToken(radius) {
  const token = shape("g", { class: "token", "aria-hidden": "true" });
  token.append(
    shape("circle", { r: radius, fill: "#fff", stroke: "#000", "stroke-width": 2.5 }),
    shape("circle", { r: radius - 5, fill: "#d55e00", stroke: "#000", "stroke-width": 1.5 }),
  );
  return token;
}

// -------------------------------------------------------------------------------- the panel

function fillPanel(panel, told) {
  panel.replaceChildren();
  const left = element("div");
  const add = (head, lines, cls) => {
    if (!lines || !lines.length) return;
    left.append(element("p", "head", head));
    if (cls) {
      left.append(...lines.map((line) => element("p", cls, line)));
    } else {
      const list = element("ul");
      list.append(...lines.map((line) => element("li", "", line)));
      left.append(list);
    }
  };
  if (told.title) left.append(element("p", "head turn", told.title));
  add("What just happened", told.story);
  add("Now", told.now && [told.now], "now");
  add("Still to come this turn", told.coming);
  if (told.scale) {
    const scale = element("div", "scale");
    const bar = element("i");
    bar.style.background = `linear-gradient(to right, ${told.scale.colours.join(", ")})`;
    scale.append(element("span", "", told.scale.low), bar, element("span", "", told.scale.top));
    left.append(element("p", "head", told.scale.text), scale);
  }
  if (told.note) left.append(element("p", "head note", told.note));
  panel.append(left);
  if (told.answers && told.answers.length) panel.append(chances(told.answers, told.caption));
}

function chances(answers, caption) {
  const right = element("div", answers.length > 12 ? "many" : "");
  const table = element("table");
  table.append(element("caption", "", caption));
  const most = Math.max(...answers.map(([, , share]) => share), 1e-9);
  for (const [name, text, share] of answers) {
    const row = table.insertRow();
    const head = element("th", "", name);
    head.scope = "row";
    row.append(head);
    const bars = row.insertCell();
    bars.className = "bars";
    const bar = element("div", "bar");
    bar.style.width = `${(100 * share) / most}%`;
    if (!share) bar.style.visibility = "hidden";
    bars.append(bar);
    const chance = row.insertCell();
    chance.className = "chance";
    chance.textContent = text;
  }
  right.append(table);
  return right;
}

// --------------------------------------------------------------------------------- all of it

function render({ model, el }) {
  const root = element("div", "boardrules");
  const style = element("style", "", STYLE);
  const picture = element("div", "picture");
  const svg = shape("svg", { role: "group", "font-family": "Arial, Helvetica, sans-serif" });
  const panel = element("div", "panel");
  const heard = element("p", "heard");
  heard.setAttribute("role", "status");
  heard.setAttribute("aria-live", "polite");
  picture.append(svg, panel);

  const form = element("form");
  const label = element("label");
  const input = element("input");
  const send = element("button", "", "Answer");
  const message = element("p", "message");
  const id = `boardrules-${Math.random().toString(36).slice(2)}`;
  label.htmlFor = id;
  input.id = id;
  input.type = "text";
  input.maxLength = 200;
  input.autocomplete = "off";
  send.type = "submit";
  message.setAttribute("role", "alert");
  form.append(label, input, send, message);
  root.append(style, picture, form, heard);
  el.append(root);

  let cells = new Map();
  let order = [];
  let here = 0;
  let token = null;

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
    token = drawToken(drawing.radius);
    svg.append(token);
    focusOn(0);
    const [x, y, width, height] = drawing.panel;
    const share = (part, whole) => `${(100 * (part + 2)) / (whole + 4)}%`;
    panel.style.left = share(x, drawing.width);
    panel.style.top = share(y, drawing.height);
    panel.style.width = `${(100 * width) / (drawing.width + 4)}%`;
    panel.style.height = `${(100 * height) / (drawing.height + 4)}%`;
    names();
    heat();
    place();
  }

  function names() {
    const count = model.get("drawing").cells?.length ?? 0;
    const text = `${model.get("label")}: ${count} places. Arrow keys go from one to the next.`;
    svg.setAttribute("aria-label", text);
  }

  function heat() {
    paintSquares(cells, model.get("heat"), model.get("token"));
  }

  function place() {
    if (!token) return;
    const stands = cells.get(model.get("token"));
    token.style.display = stands ? "" : "none";
    if (stands) {
      const [x, y] = stands.cell.token_at;
      token.style.transform = `translate(${x}px, ${y}px)`;
    }
    root.dataset.token = model.get("token");
  }

  function write() {
    const told = model.get("panel");
    fillPanel(panel, told);
    panel.style.display = Object.keys(told).length ? "" : "none";
    panel.scrollTop = 0;
    reach();
  }

  // a panel that has more to show than fits can be scrolled with the keyboard
  function reach() {
    const over = panel.scrollHeight > panel.clientHeight + 1;
    if (over) panel.setAttribute("tabindex", 0);
    else panel.removeAttribute("tabindex");
  }

  function say() {
    const stands = cells.get(model.get("token"));
    const said = model.get("said") || (stands ? `Token on ${stands.cell.name}` : "");
    if (heard.textContent !== said) heard.textContent = said;
  }

  function ask() {
    label.textContent = model.get("asks");
    send.textContent = model.get("button");
    message.textContent = model.get("message");
    form.style.display = model.get("asks") ? "" : "none";
  }

  svg.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const count = order.length;
    let to = null;
    if (event.key in moves) to = (here + moves[event.key] + count) % count;
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = count - 1;
    if (to === null || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    focusOn(to);
    order[to].focus();
  });
  // on the div: a drawing that listens for focus becomes a stop of its own for the Tab key
  picture.addEventListener("focusin", (event) => {
    const found = order.indexOf(event.target.closest(".cell"));
    if (found >= 0 && found !== here) focusOn(found);
  });
  // what is typed here is for the game, not for the notebook's shortcuts
  form.dataset.lmSuppressShortcuts = "true";
  form.addEventListener("keydown", (event) => event.stopPropagation());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (!input.value.trim()) return;
    model.send({ answer: input.value });
    input.value = "";
    input.focus();
  });

  const watched = {
    "change:drawing": board,
    "change:label": names,
    "change:heat": heat,
    "change:token": () => { heat(); place(); say(); },
    "change:panel": write,
    "change:said": say,
    "change:asks": ask,
    "change:button": ask,
    "change:message": ask,
  };
  for (const [name, run] of Object.entries(watched)) model.on(name, run);
  board();
  write();
  say();
  ask();
  const size = new ResizeObserver(reach);
  size.observe(picture);

  return () => {
    size.disconnect();
    for (const [name, run] of Object.entries(watched)) model.off(name, run);
    root.remove();
  };
}

export default { render };
