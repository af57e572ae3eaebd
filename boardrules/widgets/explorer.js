// The text of an overlay, to be taken away: in a box to be selected, and in the clipboard.
//
// It stands below a chart, and sees to it that the chart is never wider than its place.

const STYLE = `
.boardrules-copied { color: #111; background: #fff; padding: 4px; font-size: 17px;
  font-family: Arial, Helvetica, sans-serif; line-height: 1.3; }
.boardrules-copied label { display: block; font-weight: bold; margin: 0 0 4px; }
.boardrules-copied textarea { display: block; width: 100%; box-sizing: border-box; color: #111;
  background: #fff; border: 2px solid #333; border-radius: 3px; padding: 6px; font-size: 16px;
  font-family: monospace; white-space: pre; overflow: auto; }
.boardrules-copied textarea:focus-visible { outline: 3px solid #d55e00; }
.boardrules-copied p { margin: 4px 0 0; min-height: 1.3em; }
`;

function render({ model, el }) {
  const root = document.createElement("div");
  const style = document.createElement("style");
  const label = document.createElement("label");
  const box = document.createElement("textarea");
  const told = document.createElement("p");
  root.className = "boardrules-copied";
  style.textContent = STYLE;
  box.id = `boardrules-${Math.random().toString(36).slice(2)}`;
  box.readOnly = true;
  box.rows = 10;
  box.spellcheck = false;
  label.htmlFor = box.id;
  told.setAttribute("role", "status");
  root.append(style, label, box, told);
  el.append(root);
  root.dataset.lmSuppressShortcuts = "true";
  root.addEventListener("keydown", (event) => event.stopPropagation());

  function show() {
    label.textContent = model.get("label");
    box.value = model.get("text");
    root.style.display = model.get("text") ? "" : "none";
  }

  async function copy() {
    show();
    if (!model.get("text")) return;
    try {
      await navigator.clipboard.writeText(model.get("text"));
      told.textContent = "Copied; paste it where you need it.";
    } catch {
      told.textContent = "Click into the box, then press Ctrl+A and Ctrl+C to copy it.";
    }
  }

  // a chart of plotly measures its place before it is there; it listens to the window only
  let place = el;
  function fit() {
    for (const chart of place.querySelectorAll(".js-plotly-plot")) {
      const drawn = chart.querySelector(".main-svg")?.clientWidth;
      if (drawn && Math.abs(drawn - chart.clientWidth) > 2) {
        window.dispatchEvent(new Event("resize"));
        return;
      }
    }
  }
  const size = new ResizeObserver(fit);
  let frame = requestAnimationFrame(function settle() {
    if (el.isConnected) {
      place = el.parentElement;
      size.observe(place);
    } else {
      frame = requestAnimationFrame(settle);
    }
  });

  const watched = { "change:text": show, "change:label": show, "change:asked": copy };
  for (const [name, run] of Object.entries(watched)) model.on(name, run);
  show();
  return () => {
    cancelAnimationFrame(frame);
    size.disconnect();
    for (const [name, run] of Object.entries(watched)) model.off(name, run);
    root.remove();
  };
}

export default { render };
