// The board in a notebook, in four files that are read as one: squares.js draws the squares, the
// tokens and what belongs to whom, panel.js writes beside them, film.js plays a game that was sent
// as a whole, board.js puts it all together.
//
// Everything to draw comes from the kernel as plain data; text is only ever set as text, so no
// name can become part of the page.  Works with the keyboard and is read out by screen readers.

const SVG = "http://www.w3.org/2000/svg";
const LONGEST_WALK = 160; // milliseconds from one square to the next

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
    const one = drawSquare(cell);
    svg.append(one.group);
    cells.set(cell.id, one);
  }
  return cells;
}

function drawSquare(cell) {
  const group = shape("g", { class: "cell", role: "img", tabindex: -1, "data-square": cell.id });
  const title = shape("title", {});
  const ground = rectangle(cell.box, { fill: "#fff" });
  group.append(title, ground);
  if (cell.letter) {
    const [x, y, width, height] = cell.stripe;
    const small = cell.letter.length > 1 && width < height;
    group.append(
      rectangle(cell.stripe, { fill: cell.colour }),
      shape("text", {
        x: x + width / 2, y: y + height / 2 + 5, "text-anchor": "middle",
        "font-size": small ? 12 : 15, "font-weight": "bold", fill: cell.letter_ink,
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
  return { cell, group, title, ground, heat, number, inked };
}

// `heat` says how a square looks, `here` who stands on it, `notes` whose it is
function paintSquares(cells, heat, here, notes) {
  for (const [id, one] of cells) {
    const warm = Object.hasOwn(heat, id) ? heat[id] : null;
    const fill = warm ? warm.fill : "#ffffff";
    const ink = warm ? warm.ink : "#111111";
    if (one.fill !== fill || one.ink !== ink) {
      one.fill = fill;
      one.ink = ink;
      one.ground.setAttribute("fill", fill);
      for (const text of [...one.inked, one.heat]) text.setAttribute("fill", ink);
      one.number.setAttribute("fill", warm ? ink : "#595959");
    }
    const shown = warm ? warm.text : "";
    const said = [[one.cell.number, one.cell.name].filter(Boolean).join(" ")];
    if (warm) said.push(warm.said ?? shown);
    if (Object.hasOwn(notes, id)) said.push(notes[id]);
    if (here.has(id)) said.push(here.get(id));
    const label = said.join(", ");
    if (one.heat.textContent !== shown) one.heat.textContent = shown;
    if (one.label === label) continue;
    one.label = label;
    one.title.textContent = label;
    one.group.setAttribute("aria-label", label);
  }
}

// ---------------------------------------------------------------------- tokens and what they own

function drawMark({ at, shapes }, cls) {
  const [x, y] = at;
  const group = shape("g", { class: cls, "aria-hidden": "true" });
  for (const one of shapes) {
    group.append("d" in one
      ? shape("path", { d: one.d, fill: one.fill, stroke: "#000", "stroke-width": one.thick })
      : shape("text", {
        x: one.x, y: one.y, fill: one.ink, "font-size": one.size, "font-weight": "bold",
        "text-anchor": "middle",
      }, one.text));
  }
  group.style.transform = `translate(${x}px, ${y}px)`;
  return group;
}

// who stands on which square, in words
function standing(pieces, places) {
  const names = new Map();
  pieces.forEach(({ name }, who) => {
    const place = places[who];
    names.set(place, [...(names.get(place) ?? []), name || "token"]);
  });
  return new Map([...names].map(([place, who]) => [place, `${who.join(" and ")} here`]));
}

// the middles of tokens, side by side where they share a square
function spots(cells, places, radius) {
  return places.map((place, who) => {
    const stands = cells.get(place);
    if (!stands) return null;
    const [x, y] = stands.cell.token_at;
    const others = places.filter((other) => other === place).length;
    const room = stands.cell.box[2] - 2 * radius - 8;
    const step = Math.min(2 * radius - 4, room / Math.max(others - 1, 1));
    return [x - step * places.slice(0, who).filter((other) => other === place).length, y];
  });
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// A token goes to its spot: along `way`, a list of [square, whether it walks there], in at most
// `time` milliseconds.
function travel(token, cells, spot, way, time) {
  token.moving?.cancel();
  token.moving = null;
  token.style.display = spot ? "" : "none";
  if (!spot) return;
  const before = token.style.transform;
  const after = `translate(${spot[0]}px, ${spot[1]}px)`;
  token.style.transform = after;
  if (!before || before === after || calm() || time < 60) return;
  const frames = [before];
  for (const [id, walks] of way) {
    const one = cells.get(id);
    if (!one) continue;
    if (!walks && frames.length > 1) frames.push(frames[frames.length - 1]); // a rest first
    frames.push(`translate(${one.cell.token_at[0]}px, ${one.cell.token_at[1]}px)`);
  }
  if (frames.length > 1) frames.pop(); // on the last square there may be others
  frames.push(after);
  const long = way.length ? Math.min(time, LONGEST_WALK * Math.max(frames.length - 1, 3)) : time;
  const steps = frames.map((transform) => ({ transform, easing: "ease-in-out" }));
  token.moving = token.animate(steps, { duration: Math.min(time, long) });
}
