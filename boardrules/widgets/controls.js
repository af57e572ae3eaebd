// A form with the browser's own inputs: each has a label, works with the keyboard, is read out.
//
// What to show comes from the kernel as plain data and is only ever set as text.  What is changed
// here goes to the kernel as a message; the kernel answers with all values, and only then the next
// message goes out, so that a dragged slider never leaves a queue behind.

const STYLE = `
.boardrules-controls { color: #111; background: #fff; padding: 4px; box-sizing: border-box;
  font-family: Arial, Helvetica, sans-serif; font-size: 17px; line-height: 1.3; max-width: 100%; }
.boardrules-controls * { box-sizing: border-box; }
.boardrules-controls h3 { font-size: 20px; margin: 0 0 6px; color: #111; }
.boardrules-controls fieldset { border: 1px solid #767676; border-radius: 4px; margin: 0 0 10px;
  padding: 4px 12px 8px; min-width: 0; }
.boardrules-controls fieldset.plain { border: none; padding: 0; margin: 0 0 6px; }
.boardrules-controls legend, .boardrules-controls summary { font-weight: bold; font-size: 17px;
  padding: 0 4px; color: #111; width: auto; border: none; margin: 0; }
.boardrules-controls details { border: 1px solid #767676; border-radius: 4px; margin: 0 0 10px;
  padding: 4px 12px; }
.boardrules-controls details fieldset { border: none; padding: 4px 0 0; margin: 0; }
.boardrules-controls details legend { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); }
.boardrules-controls summary { cursor: pointer; display: list-item; }
.boardrules-controls .rows { display: grid; gap: 8px 24px;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 290px), 1fr)); }
.boardrules-controls .row { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px;
  align-content: flex-start; min-width: 0; }
.boardrules-controls .row > label.above { flex: 1 0 100%; margin: 0; font-weight: normal; }
.boardrules-controls .row.choice > label.above { flex: 0 1 auto; }
.boardrules-controls .plain > .rows { display: flex; flex-wrap: wrap; align-items: center; }
.boardrules-controls .plain > .rows > .slider { flex: 1 1 290px; max-width: 480px; }
.boardrules-controls .row.radio > .above { font-weight: bold; }
.boardrules-controls .spread { display: flex; flex-wrap: wrap; gap: 6px; }
.boardrules-controls .spread label { display: inline-flex; align-items: center; gap: 6px; margin: 0;
  border: 2px solid #333; border-radius: 3px; padding: 4px 12px; cursor: pointer; background: #fff; }
.boardrules-controls .spread label.chosen { background: #cfe8f7; font-weight: bold; }
.boardrules-controls .spread label:focus-within { outline: 3px solid #d55e00; outline-offset: 1px; }
.boardrules-controls input[type=radio] { width: 18px; height: 18px; margin: 0; flex: none;
  accent-color: #0072b2; cursor: pointer; }
.boardrules-controls .hint { flex: 1 0 100%; color: #444; font-size: 16px; margin: 0; }
.boardrules-controls input[type=range] { flex: 1 1 120px; min-width: 90px; height: 28px; margin: 0;
  accent-color: #0072b2; cursor: pointer; }
.boardrules-controls input[type=checkbox] { width: 22px; height: 22px; margin: 0; flex: none;
  accent-color: #0072b2; cursor: pointer; }
.boardrules-controls .box { display: inline-flex; align-items: center; gap: 4px; white-space: nowrap; }
.boardrules-controls input[type=number], .boardrules-controls input[type=text],
.boardrules-controls input[type=search], .boardrules-controls select { font: inherit; color: #111;
  background: #fff; border: 2px solid #333; border-radius: 3px; padding: 3px 6px; margin: 0;
  height: auto; min-width: 0; }
.boardrules-controls input[type=number] { width: 6.2em; }
.boardrules-controls input[type=text], .boardrules-controls select { flex: 1 1 auto; max-width: 100%; }
.boardrules-controls .find { display: flex; gap: 8px; align-items: center; margin: 0 0 8px;
  flex-wrap: wrap; }
.boardrules-controls button { font: inherit; padding: 4px 14px; border: 2px solid #333;
  border-radius: 3px; background: #eee; color: #111; cursor: pointer; margin: 0 8px 4px 0; }
.boardrules-controls :focus-visible { outline: 3px solid #d55e00; outline-offset: 1px; }
.boardrules-controls .message { font-weight: bold; margin: 4px 0 0; min-height: 1.3em; }
.boardrules-controls [hidden] { display: none; }
`;

const PAUSE = 60; // milliseconds between two messages of a dragged slider
const PATIENCE = 1500; // so long an answer of the kernel is waited for

function element(name, cls, text) {
  const made = document.createElement(name);
  if (cls) made.className = cls;
  if (text !== undefined) made.textContent = text;
  return made;
}

let made = 0;
function fresh() {
  made += 1;
  return `boardrules-${Math.random().toString(36).slice(2)}-${made}`;
}

// ------------------------------------------------------------------------------- the post

// Sends changed values to the kernel: the newest only, and one message at a time.
function post(model) {
  const by = fresh();
  let waiting = {};
  let count = 0;
  let open = false; // whether the kernel still owes an answer
  let sent = -Infinity;
  let timer = null;

  function flush() {
    clearTimeout(timer);
    timer = null;
    if (!Object.keys(waiting).length) return;
    const now = performance.now();
    const due = sent + (open ? PATIENCE : PAUSE);
    if (now < due) {
      timer = setTimeout(flush, due - now);
      return;
    }
    count += 1;
    sent = now;
    open = true;
    model.send({ set: waiting, by, count });
    waiting = {};
  }

  return {
    by,
    put(name, value) {
      waiting[name] = value;
      flush();
    },
    // whether the values of an answer are news: not if something newer is on its way
    answered(state) {
      if (state.by !== by) return true;
      if (state.count < count) return false;
      open = false;
      const more = Object.keys(waiting).length > 0;
      flush();
      return !more;
    },
    // what is waiting has to arrive before a button does
    hurry() {
      sent = -Infinity;
      open = false;
      flush();
    },
    stop: () => clearTimeout(timer),
  };
}

// ----------------------------------------------------------------------------- the fields

function withUnit(field, input) {
  const box = element("span", "box");
  const unit = field.unit ? element("span", "unit", field.unit) : null;
  if (unit && field.before) box.append(unit);
  box.append(input);
  if (unit && !field.before) box.append(unit);
  return box;
}

function spoken(field, value) {
  if (!field.unit) return String(value);
  return field.before || field.unit === "%" ? `${field.before ? field.unit : ""}${value}${
    field.before ? "" : field.unit}` : `${value} ${field.unit}`;
}

function slider(field, id, send) {
  const range = element("input");
  const number = element("input");
  range.type = "range";
  number.type = "number";
  for (const input of [range, number]) {
    input.min = field.low;
    input.max = field.high;
    input.step = field.step;
  }
  number.step = field.whole ? 1 : "any";
  number.inputMode = field.whole ? "numeric" : "decimal";
  range.id = id;
  number.setAttribute("aria-label", `${field.label}, as a number`);
  let held = false;
  const say = (value) => range.setAttribute("aria-valuetext", spoken(field, value));
  const exact = (value) => Number(Number(value).toFixed(9));
  range.addEventListener("pointerdown", () => { held = true; });
  range.addEventListener("pointercancel", () => { held = false; });
  range.addEventListener("input", () => {
    number.value = exact(range.value);
    say(number.value);
    send(exact(range.value));
  });
  range.addEventListener("change", () => {
    held = false;
    send(exact(range.value));
  });
  number.addEventListener("change", () => {
    // what is no number at all is sent as it stands, so that the kernel can say what it wants
    const value = number.value === "" ? "" : Number(number.value);
    if (value !== "") { range.value = value; say(value); }
    send(value);
  });
  return {
    parts: [range, withUnit(field, number)],
    named: range,
    inputs: [range, number],
    show(value) {
      if (held) return;
      range.value = value;
      number.value = value;
      say(value);
    },
  };
}

function choice(field, id, send) {
  const select = element("select");
  select.id = id;
  for (const [text, value] of field.options) {
    const option = element("option", "", text);
    option.value = value;
    select.append(option);
  }
  select.addEventListener("change", () => send(select.value));
  return { parts: [select], named: select, inputs: [select],
    show(value) { select.value = value; } };
}

function radio(field, id, send) {
  const set = element("div", "spread");
  const inputs = [];
  set.id = id;
  set.setAttribute("role", "radiogroup");
  set.setAttribute("aria-label", field.label);
  for (const [text, value] of field.options) {
    const label = element("label");
    const input = element("input");
    input.type = "radio";
    input.name = id;
    input.value = value;
    input.addEventListener("change", () => { mark(); send(value); });
    label.append(input, element("span", "", text));
    set.append(label);
    inputs.push(input);
  }
  function mark() {
    for (const input of inputs) input.parentElement.classList.toggle("chosen", input.checked);
  }
  return { parts: [set], named: { focus: () => inputs.find((one) => one.checked)?.focus() }, inputs,
    bare: true,
    show(value) {
      for (const input of inputs) input.checked = input.value === value;
      mark();
    } };
}

function tick(field, id, send) {
  const box = element("input");
  box.type = "checkbox";
  box.id = id;
  box.addEventListener("change", () => send(box.checked));
  return { parts: [box], named: box, inputs: [box], first: true,
    show(value) { box.checked = value; } };
}

function line(field, id, send) {
  const text = element("input");
  text.type = "text";
  text.id = id;
  text.maxLength = 200;
  text.autocomplete = "off";
  text.spellcheck = false;
  text.addEventListener("change", () => send(text.value));
  return { parts: [text], named: text, inputs: [text],
    show(value) { text.value = value; } };
}

const KINDS = { slider, choice, radio, tick, line };

function drawField(field, send) {
  const id = fresh();
  const row = element("div", `row ${field.kind}`);
  const drawn = KINDS[field.kind](field, id, (value) => send(field.name, value));
  // a group of radio buttons has its name from the group itself
  const label = element(drawn.bare ? "span" : "label", drawn.first ? "" : "above", field.label);
  if (!drawn.bare) label.htmlFor = id;
  else label.setAttribute("aria-hidden", "true");
  if (drawn.first) row.append(...drawn.parts, label);
  else row.append(label, ...drawn.parts);
  if (field.hint) {
    const hint = element("p", "hint", field.hint);
    hint.id = fresh();
    row.append(hint);
    for (const input of drawn.inputs) input.setAttribute("aria-describedby", hint.id);
  }
  row.dataset.field = field.name;
  return { row, ...drawn, words: `${field.label} ${field.hint ?? ""}`.toLowerCase() };
}

function drawGroup(group, send, fields, opened) {
  const set = element("fieldset", group.legend ? "" : "plain");
  const rows = element("div", "rows");
  if (group.legend) set.append(element("legend", "", group.legend));
  const own = [];
  for (const field of group.fields) {
    const drawn = drawField(field, send);
    fields.set(field.name, drawn);
    own.push(drawn);
    rows.append(drawn.row);
  }
  set.append(rows);
  if (!group.folded) return { outer: set, own, words: group.legend.toLowerCase() };
  const details = element("details");
  details.open = opened.has(group.legend);
  details.append(element("summary", "", group.legend), set);
  details.addEventListener("toggle", () => {
    if (details.dataset.found) return;
    if (details.open) opened.add(group.legend);
    else opened.delete(group.legend);
  });
  return { outer: details, own, words: group.legend.toLowerCase(), legend: group.legend };
}

// one box that narrows the form to what has these words in its label
function drawFind(text, groups, opened, sought) {
  const row = element("div", "find");
  const label = element("label", "", text);
  const input = element("input");
  const told = element("span", "told");
  input.type = "search";
  input.id = fresh();
  input.maxLength = 60;
  input.autocomplete = "off";
  label.htmlFor = input.id;
  told.setAttribute("role", "status");
  input.value = sought.words;
  input.addEventListener("input", narrow);
  function narrow() {
    sought.words = input.value;
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const group of groups) {
      let seen = 0;
      for (const field of group.own) {
        const all = `${group.words} ${field.words}`;
        const fits = words.every((word) => all.includes(word));
        field.row.hidden = !fits;
        seen += fits ? 1 : 0;
      }
      group.outer.hidden = seen === 0;
      if ("open" in group.outer) {
        if (words.length) group.outer.dataset.found = "yes";
        group.outer.open = words.length ? true : opened.has(group.legend);
        if (!words.length) delete group.outer.dataset.found;
      }
      count += seen;
    }
    told.textContent = words.length ? `${count} found` : "";
  }
  if (sought.words) narrow();
  row.append(label, input, told);
  return row;
}

// -------------------------------------------------------------------------------- the form

function render({ model, el }) {
  const root = element("div", "boardrules-controls");
  const form = element("form");
  const message = element("p", "message");
  message.setAttribute("role", "status");
  root.append(element("style", "", STYLE), form, message);
  el.append(root);

  const mail = post(model);
  const opened = new Set();
  const sought = { words: "" };
  let fields = new Map();

  function draw() {
    const told = model.get("form");
    const before = document.activeElement?.closest?.("[data-field]")?.dataset.field;
    const had = form.contains(document.activeElement);
    fields = new Map();
    form.replaceChildren();
    form.noValidate = true;
    if (told.title) form.append(element("h3", "", told.title));
    const groups = told.groups.map((group) => drawGroup(group, mail.put, fields, opened));
    if (told.find) form.append(drawFind(told.find, groups, opened, sought));
    form.append(...groups.map((group) => group.outer));
    for (const text of told.buttons) {
      const button = element("button", "", text);
      button.type = "button";
      button.addEventListener("click", () => {
        mail.hurry();
        model.send({ press: text });
      });
      form.append(button);
    }
    fill();
    if (had && before) fields.get(before)?.named.focus();
  }

  function fill() {
    const { values } = model.get("state");
    for (const [name, field] of fields) {
      if (Object.hasOwn(values, name)) field.show(values[name]);
    }
  }

  function news() {
    if (mail.answered(model.get("state"))) fill();
  }

  function say() {
    message.textContent = model.get("message");
  }

  // what is typed here is for the form, not for the notebook's shortcuts
  form.dataset.lmSuppressShortcuts = "true";
  form.addEventListener("keydown", (event) => event.stopPropagation());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
  });

  const watched = { "change:form": draw, "change:state": news, "change:message": say };
  for (const [name, run] of Object.entries(watched)) model.on(name, run);
  draw();
  say();

  return () => {
    mail.stop();
    for (const [name, run] of Object.entries(watched)) model.off(name, run);
    root.remove();
  };
}

export default { render };
