// Predicates and rules, and what flows between them.

import { el, fill, plural } from "./dom.js";
import { shortened } from "./paint.js";

const BOX = 152, TALL = 40, ACROSS = 52, DOWN = 58, THIN = 22, DOT = 13;

export class Graph {
  constructor(page) {
    this.page = page;
    this.legend = el("p", { class: "muted legend" },
      "Boxes are predicates, circles are rules, numbered by line. Dashed: negation. Dotted: inside an aggregate.",
      " Rules of one tint run in one stage on Spark.");
    this.stages = el("ul", { class: "muted legend stages", "aria-label": "Stages" });
    this.frame = el("div", { class: "frame" });
    this.element = el("section", { class: "graph scroll" }, this.legend, this.stages, this.frame);
  }

  render() {
    const { page } = this;
    const key = JSON.stringify([page.program.text, page.store.marks, page.rule, page.counts, page.accounts.came, page.theme.ink]);
    if (key === this.shown) return;
    this.shown = key;
    page.host.counts?.();
    fill(this.stages, ...costs(page));
    fill(this.frame, drawing(page));
  }
}

// What the rules of each stage have given and taken, where it was measured.
function costs(page) {
  const stages = new Map();
  for (const rule of page.program.rules) {
    const cost = page.counts?.[rule.index], stage = page.program.stages[rule.index];
    if (cost?.seconds === undefined || stage === null || stage === undefined) continue;
    const sum = stages.get(stage) || stages.set(stage, { rules: 0, rows: 0, lines: new Map() }).get(stage);
    sum.rules++;
    if (!sum.lines.has(rule.line)) sum.rows += cost.rows; // rules of one line are measured together
    sum.lines.set(rule.line, cost.seconds);
  }
  const where = page.picture.measured ? ` (measured ${page.picture.measured})` : "";
  return [...stages].sort(([a], [b]) => a - b).map(([stage, { rules, rows, lines }]) => el("li", {},
    `stage ${stage + 1}: ${plural(rules, "rule")}, ${plural(rows, "row")}, ${time([...lines.values()].reduce((a, b) => a + b, 0))}${where}`));
}

function time(seconds) {
  return seconds >= 1 ? `${seconds.toFixed(2)} s` : `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms`;
}

function drawing(page) {
  const { nodes, edges, width, height } = layout(page);
  const root = el("svg", { viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": described(page) });
  for (const edge of edges) {
    const path = el("path", { d: curve(edge.from, edge.to), class: `edge ${edge.kind}` });
    if (edge.text) path.append(el("title", {}, edge.text));
    root.append(path);
  }
  for (const node of nodes) if (!node.passing) root.append(node.rule ? circle(node, page) : box(node, page));
  return root;
}

function described(page) {
  return page.program.rules.map((rule) => `line ${rule.line}: ${rule.heads.join(", ") || "constraint"} from `
    + `${rule.reads.map((one) => (one.negative ? "not " : "") + one.predicate).join(", ") || "nothing"}`).join("; ");
}

function layout(page) {
  const made = new Map();
  const predicate = (name) => made.get(name) || made.set(name, { name, depth: 0, sources: [], number: made.size }).get(name);
  const rules = page.program.rules.filter((rule) => rule.reads.length).map((rule) => ({ rule, depth: 1, sources: [], targets: [] }));
  for (const node of rules) {
    node.sources = [...new Set(node.rule.reads.map((one) => one.predicate))].map(predicate);
    node.targets = node.rule.heads.map(predicate);
    for (const target of node.targets) target.sources.push(node);
  }
  for (let round = 0; round < made.size + 1; round++) // recursion stops deepening when every predicate had its turn
    for (const node of rules) {
      node.depth = 1 + Math.max(-1, ...node.sources.filter((one) => !node.targets.includes(one)).map((one) => one.depth));
      for (const target of node.targets) target.depth = Math.min(2 * made.size, Math.max(target.depth, node.depth + 1));
    }
  const edges = rules.flatMap((node) => [
    ...node.rule.reads.flatMap((read) => routed(predicate(read.predicate), node, read)),
    ...node.targets.flatMap((target) => routed(node, target, {})),
  ]);
  const passing = edges.map((edge) => edge.to).filter((node) => node.passing);
  const nodes = [...made.values(), ...rules, ...passing], columns = [];
  for (const node of nodes) (columns[node.depth] ||= []).push(node);
  const filled = columns.filter(Boolean);
  filled.forEach((column) => column.sort((a, b) => (a.rule?.line ?? a.number) - (b.rule?.line ?? b.number)));
  for (let pass = 0; pass < 4; pass++) for (const column of filled) sorted(column);
  const room = (node) => (node.passing ? THIN : DOWN);
  const tall = (column) => column.reduce((sum, node) => sum + room(node), 0);
  const tallest = Math.max(...filled.map(tall), DOWN);
  let x = 16;
  for (const column of filled) {
    const wide = column.some((node) => !node.rule && !node.passing) ? BOX : 2 * DOT;
    let y = 16 + (tallest - tall(column)) / 2;
    for (const node of column) {
      node.w = node.passing ? wide : node.rule ? 2 * DOT : BOX;
      node.h = node.passing ? THIN : node.rule ? 2 * DOT : TALL;
      node.x = x + (wide - node.w) / 2;
      node.y = y + (room(node) - node.h) / 2;
      y += room(node);
    }
    x += wide + ACROSS;
  }
  return { nodes, edges, width: Math.max(x - ACROSS + 16, 320), height: tallest + 32 };
}

// An edge over several columns keeps a place free in each, so that it passes beside the boxes, not behind them.
function routed(from, to, read) {
  const kind = read.negative ? "negative" : read.aggregated ? "aggregated" : "", parts = [];
  let last = from;
  for (let depth = from.depth + 1; depth < to.depth; depth++) {
    const next = { passing: true, depth, sources: [last], number: from.number ?? 0 };
    parts.push({ from: last, to: next, kind, text: read.window || "" });
    last = next;
  }
  return [...parts, { from: last, to, kind, text: read.window || "" }];
}

// Nodes near those that they come from: fewer crossings.
function sorted(column) {
  column.forEach((node, place) => (node.place = place));
  const wish = (node) => node.sources.length
    ? node.sources.reduce((sum, one) => sum + (one.place ?? 0), 0) / node.sources.length : node.place;
  column.sort((a, b) => wish(a) - wish(b) || a.place - b.place);
  column.forEach((node, place) => (node.place = place));
}

function curve(from, to) {
  const x = from.x + from.w, y = from.y + from.h / 2, u = to.x, v = to.y + to.h / 2;
  const bend = u > x ? (u - x) / 2 : 60;
  return `M${from.passing ? from.x : x},${y}H${x}C${x + bend},${y} ${u - bend},${v} ${u},${v}`;
}

function box(node, page) {
  const known = page.store.byName.get(node.name), lanes = page.lanesOf(known);
  const stretches = lanes.reduce((sum, lane) => sum + lane.first.size + lane.arrivals.size + lane.pinAt.size, 0);
  const derived = known !== undefined && page.store.predicates[known].derived;
  const group = el("g", { class: "node", transform: `translate(${node.x},${node.y})` },
    el("rect", { width: node.w, height: node.h, rx: 6, class: derived ? "derived" : "input" }),
    el("text", { x: 12, y: 17, class: "name" }, shortened(node.name, 20)),
    el("text", { x: 12, y: 32, class: "figure" },
      known === undefined ? "background" : !derived && page.accounts.came ? plural(page.accounts.came[node.name] || 0, "arrival")
        : `${plural(lanes.length, "atom")} · ${plural(stretches, "mark")}`));
  if (derived) group.firstChild.style.stroke = page.theme.of(page.store.predicates, known);
  return group;
}

function circle(node, page) {
  const { rule } = node, count = page.counts?.[rule.index], stage = page.program.stages[rule.index] ?? undefined;
  const choose = () => page.chooseRule(page.rule === rule.index ? null : rule.index);
  const group = el("g", {
    class: page.rule === rule.index ? "rule chosen" : "rule", tabindex: "0", role: "button",
    "aria-label": `rule in line ${rule.line}`, transform: `translate(${node.x + DOT},${node.y + DOT})`,
    onclick: choose, onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      choose();
    },
  }, el("circle", { r: DOT, class: stage === undefined ? "" : `stage-${stage % 4}` }),
  el("text", { y: 4, "text-anchor": "middle" }, String(rule.line ?? rule.index + 1)),
  count?.seconds === undefined ? "" : el("text", { y: DOT + 12, "text-anchor": "middle", class: "figure" }, time(count.seconds)),
  el("title", {}, rule.text + (count ? `\n${plural(count.count, "time")}` : "")
    + (count?.seconds === undefined ? "" : `\n${plural(count.rows, "row")} in ${time(count.seconds)}`) + (stage === undefined ? "" : `\nstage ${stage + 1}`)));
  return group;
}
