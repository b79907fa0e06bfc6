// The page in a notebook: a widget that asks its kernel, in a shadow root that shares no style with the notebook.

import { el } from "./dom.js";
import { mount } from "./larspark.js";

const ROWS = 20;

export function render({ model, el: place }) {
  const shadow = place.attachShadow({ mode: "open" }), root = el("div", { class: "framed" });
  const waiting = new Map();
  shadow.append(el("style", {}, model.get("style")), root, table(model.get("rows")));
  const answered = (message) => {
    waiting.get(message.id)?.(message.answer);
    waiting.delete(message.id);
  };
  model.on("msg:custom", answered);
  root.addEventListener("keydown", (event) => event.stopPropagation()); // the notebook has keys of its own
  const page = mount(root, JSON.parse(model.get("picture")), (kind, atom, at, about) => new Promise((resolve) => {
    const id = String(Math.random()); // several views of a result hear the same answers
    waiting.set(id, resolve);
    model.send({ id, ask: kind, atom: about === null ? atom : `@${about} ${atom}`, at });
  }));
  return () => {
    model.off("msg:custom", answered);
    page.close();
  };
}

function table(rows) {
  if (!rows.length) return el("p", { class: "larspark-rows" }, "Nothing holds.");
  const names = Object.keys(rows[0]), said = (value) => (value === null ? "" : String(value));
  const more = rows.length > ROWS ? el("caption", {}, `${ROWS} of ${rows.length} rows`) : null;
  return el("table", { class: "larspark-rows" }, more,
    el("thead", {}, el("tr", {}, ...names.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...rows.slice(0, ROWS).map((row) => el("tr", {}, ...names.map((name) => el("td", {}, said(row[name])))))));
}
