// ------------------------------------------------------------ what is written beside the board

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
  left.append(...(told.people ?? []).map(person));
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
  const right = told.answers?.length ? chances(told.answers, told.caption) : left;
  if (right !== left) panel.append(right);
  if (told.small) right.append(element("p", "small", told.small));
}

// a player: the token, and a line about it
function person({ shapes, text }) {
  const line = element("p", "person");
  const token = shape("svg", { viewBox: "-18 -18 36 36", "aria-hidden": "true" });
  token.append(drawMark({ at: [0, 0], shapes }, "mark"));
  line.append(token, element("span", "", text));
  return line;
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
    const bar = element("div", "share");
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

// ---------------------------------------------------------------------------- rows of buttons

function button(text, tip, run) {
  const made = element("button", "", text);
  made.type = "button";
  if (tip) made.title = tip;
  made.addEventListener("click", run);
  return made;
}

function labelled(text, field) {
  const label = element("label", "", `${text} `);
  label.append(field);
  return label;
}

function numberBox(low, high, value) {
  const box = element("input");
  Object.assign(box, { type: "number", min: low, max: high, step: 1, value });
  return box;
}

function choiceOf(options, value) {
  const list = element("select");
  for (const [text, one] of options) {
    const option = element("option", "", text);
    option.value = one;
    list.append(option);
  }
  list.value = value;
  return list;
}

// what is pressed and typed here is for the game, not for the notebook's shortcuts
function keepKeys(part) {
  part.dataset.lmSuppressShortcuts = "true";
  part.addEventListener("keydown", (event) => event.stopPropagation());
}
