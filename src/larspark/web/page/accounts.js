// What became of the input: taken, late, refused with its lines, and what time waits for.

import { el, fill, number } from "./dom.js";

const MOST = 200;

export class Accounts {
  constructor(page) {
    this.page = page;
    this.element = el("section", { class: "accounts scroll" });
  }

  render() {
    const { page } = this, { accounts } = page;
    const key = JSON.stringify([accounts, page.store.end, page.store.marks]);
    if (key === this.shown) return;
    this.shown = key;
    const refused = accounts.refused;
    const figures = [
      ["taken", number(accounts.used)],
      ["refused", number(accounts.refusedInAll ?? refused.length)],
      accounts.late === undefined ? null : ["too late", number(accounts.late)],
      ["atoms", number(page.store.lanes.length)],
      ["marks", number(page.store.marks)],
      ["time", `${page.axis.name(page.store.start)} – ${page.axis.name(page.store.end)}`],
      accounts.pending === undefined ? null : ["still to come", number(accounts.pending)],
    ];
    fill(this.element,
      el("dl", { class: "figures" }, ...figures.filter(Boolean).map(([name, value]) =>
        el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      accounts.waiting ? el("p", {}, accounts.waiting) : null,
      accounts.dropped ? el("p", { class: "warning" }, accounts.dropped) : null,
      refused.length ? table(refused, page) : el("p", { class: "muted" },
        accounts.refusedInAll ? "What was refused earlier is in the table of dead letters." : "Nothing was refused."));
  }
}

function table(refused, page) {
  return el("table", { class: "plain" },
    el("caption", {}, refused.length > MOST ? `Refused: ${MOST} of ${number(refused.length)} shown` : "Refused"),
    el("thead", {}, el("tr", {}, ...["Where", "Time", "Atom", "Why"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...refused.slice(0, MOST).map((one) => el("tr", {},
      el("td", {}, !one.file ? "typed" : !one.line ? one.file : `${one.file}:${one.line}`),
      el("td", {}, one.time === null ? "" : page.axis.name(one.time)),
      el("td", { class: "code refused" }, one.atom || ""),
      el("td", {}, `${one.code} ${one.reason}`)))));
}
