// Elements of the page. Everything that comes from data becomes text; nothing is ever parsed as HTML.

const SVG_NAMES = new Set(["svg", "g", "path", "rect", "circle", "line", "text", "title", "marker", "defs"]);

export function el(tag, properties = {}, ...children) {
  const made = SVG_NAMES.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

export function button(label, action, properties = {}) {
  return el("button", { type: "button", onclick: action, ...properties }, label);
}

export const number = (value) => value.toLocaleString("en-US");

export function plural(count, noun, many = `${noun}s`) {
  return `${number(count)} ${count === 1 ? noun : many}`;
}

// Calls once per frame however often it is asked.
export function framed(action) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      action();
    });
  };
}
