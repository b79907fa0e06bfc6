// Colours, read from the style sheet, so that light and dark are told in one place.

const NAMES = ["ink", "soft", "faint", "line", "ground", "raised", "band", "accent", "refused", "input"];
const SERIES = 7;

export class Theme {
  constructor(root) {
    this.root = root;
    this.read();
  }

  read() {
    const style = getComputedStyle(this.root);
    for (const name of NAMES) this[name] = style.getPropertyValue(`--${name}`).trim();
    this.series = Array.from({ length: SERIES }, (_, place) => style.getPropertyValue(`--series-${place}`).trim());
    this.mono = style.getPropertyValue("--mono").trim();
    this.sans = style.getPropertyValue("--sans").trim();
  }

  // Conclusions have the colour of their predicate; inputs are all alike.
  of(predicates, place) {
    let number = 0;
    for (let before = 0; before < place; before++) if (predicates[before].derived) number++;
    return this.series[number % SERIES];
  }

  static choose(root, choice) {
    if (choice === "auto") delete root.dataset.theme;
    else root.dataset.theme = choice;
  }
}
