// The form for what a class has counted: a box to type or paste into, and what came of it.
//
// Nothing is worked out here: the text goes to the kernel, which says what it has read.  Text is
// only ever set as text.  Works with the keyboard and is read out by screen readers.

const STYLE = `
.boardrules-tally { color: #111; background: #fff; font: 17px/1.35 Arial, Helvetica, sans-serif;
  padding: 4px 8px; box-sizing: border-box; max-width: 60em; }
.boardrules-tally .row { display: flex; flex-wrap: wrap; gap: 6px 20px; align-items: end;
  margin: 0 0 8px; }
.boardrules-tally label { display: block; font-weight: bold; }
.boardrules-tally select, .boardrules-tally input, .boardrules-tally textarea,
.boardrules-tally button { font: inherit; color: #111; background: #fff; border: 2px solid #333;
  border-radius: 3px; padding: 4px 8px; box-sizing: border-box; max-width: 100%; }
.boardrules-tally input { width: 6em; }
.boardrules-tally textarea { width: 100%; min-height: 9em; resize: vertical;
  font-family: "DejaVu Sans Mono", Consolas, monospace; }
.boardrules-tally button { background: #eee; cursor: pointer; padding: 4px 18px; }
.boardrules-tally button.first { background: #0072b2; border-color: #0072b2; color: #fff; }
.boardrules-tally :focus-visible { outline: 3px solid #d55e00; outline-offset: 1px; }
.boardrules-tally .hint { margin: 0 0 4px; color: #444; font-size: 16px; }
.boardrules-tally p, .boardrules-tally ul { margin: 4px 0; }
.boardrules-tally .said { font-weight: bold; min-height: 1.35em; }
.boardrules-tally .told p:first-child { font-size: 21px; font-weight: bold; }
.boardrules-tally .doubts { border-left: 6px solid #d55e00; padding-left: 10px; }
`;

function element(name, cls, text) {
  const made = document.createElement(name);
  if (cls) made.className = cls;
  if (text !== undefined) made.textContent = text;
  return made;
}

let count = 0;

function labelled(text, field) {
  const id = `boardrules-tally-${(count += 1)}`;
  const label = element("label", "", text);
  label.htmlFor = id;
  field.id = id;
  const box = element("div", "field");
  box.append(label, field);
  return box;
}

function choice(options, value) {
  const made = element("select");
  for (const [name, text] of options) {
    const one = element("option", "", text);
    one.value = name;
    made.append(one);
  }
  made.value = value;
  return made;
}

function render({ model, el }) {
  const root = element("div", "boardrules-tally");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", model.get("label"));
  const style = element("style", "", STYLE);
  const question = choice(model.get("questions"), model.get("question"));
  const form = choice(model.get("forms"), model.get("form"));
  const pupils = element("input");
  pupils.inputMode = "numeric";
  pupils.autocomplete = "off";
  pupils.value = model.get("pupils");
  const tokens = labelled("Pupils (tokens)", pupils);
  const row = element("div", "row");
  row.append(labelled("We counted", question), labelled("It is written as", form), tokens);
  const text = element("textarea");
  text.spellcheck = false;
  text.rows = 8;
  text.value = model.get("text");
  const hint = element("p", "hint");
  const box = labelled("What the class counted", text);
  hint.id = `${text.id}-hint`;
  text.setAttribute("aria-describedby", hint.id);
  box.insertBefore(hint, text);
  const buttons = element("div", "row");
  const show = element("button", "first", "Show");
  const clear = element("button", "", "Clear");
  const example = element("button", "", "An example");
  for (const one of [show, clear, example]) one.type = "button";
  buttons.append(show, clear, example);
  const said = element("p", "said");
  said.setAttribute("role", "status");
  const doubts = element("div");
  const told = element("div", "told");
  root.append(style, row, box, buttons, said, doubts, told);
  el.append(root);

  const fill = () => {
    hint.textContent = model.get("hint");
    tokens.hidden = model.get("question") === "throw";
    question.value = model.get("question");
    form.value = model.get("form");
    said.textContent = model.get("said");
    doubts.replaceChildren();
    const lines = model.get("doubts");
    doubts.className = lines.length ? "doubts" : "";
    if (lines.length) {
      const list = element("ul");
      list.append(...lines.map((line) => element("li", "", line)));
      doubts.append(element("p", "", "Not counted:"), list);
    }
    told.replaceChildren(...model.get("told").map((line) => element("p", "", line)));
  };
  const take = () => {
    if (text.value !== model.get("text")) text.value = model.get("text");
    if (pupils.value !== model.get("pupils")) pupils.value = model.get("pupils");
  };
  const send = (what) => model.send({
    tally: what, text: text.value, question: question.value, form: form.value,
    pupils: pupils.value,
  });
  show.addEventListener("click", () => send("show"));
  clear.addEventListener("click", () => {
    text.value = "";
    send("clear");
    text.focus();
  });
  example.addEventListener("click", () => send("example"));
  question.addEventListener("change", () => send("ask"));
  root.addEventListener("keydown", (event) => {
    // typing belongs to this form; a notebook would take some keys for its own
    event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send("show");
    } else if (event.key === "Enter" && event.target === pupils) {
      event.preventDefault();
      send("show");
    }
  });
  fill();
  const shown = ["hint", "question", "form", "said", "doubts", "told"];
  for (const name of shown) model.on(`change:${name}`, fill);
  for (const name of ["text", "pupils"]) model.on(`change:${name}`, take);
  return () => {
    for (const name of shown) model.off(`change:${name}`, fill);
    for (const name of ["text", "pupils"]) model.off(`change:${name}`, take);
    root.remove();
  };
}

export default { render };
