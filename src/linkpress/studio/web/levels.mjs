// What a level's card shows beside its fields: what is to be expected, and three boards of its recipe.

import { ask, svgOf } from "./api.mjs";
import { book, valueAt } from "./book.mjs";
import { el, say } from "./dom.mjs";

const shown = new Map(); // drawn boards by the level's keys, so that a form drawn anew does not flicker
let outlook = [];

export function setOutlook(lines) {
  outlook = lines;
  document.querySelectorAll("[data-outlook]").forEach((place) => { place.textContent = wordsOf(Number(place.dataset.outlook)); });
}

function wordsOf(index) {
  const name = valueAt(["levels", index, "name"]);
  const at = outlook.findIndex((line) => line.startsWith(`${name}: `));
  if (at < 0) return "";
  const own = [outlook[at].slice(name.length + 2)];
  for (let next = at + 1; next < outlook.length && outlook[next].startsWith("  "); next += 1) own.push(outlook[next].trim());
  return own.join(" ");
}

export function levelExtras(index) {
  const keys = JSON.stringify([book.values.seed, valueAt(["levels", index])]);
  const boards = el("div", { class: "boards", "aria-live": "polite" });
  const known = shown.get(keys);
  if (known) boards.append(...known.map(boardOf));
  else fill(boards, index, keys);
  return el("div", { class: "outlook" }, boards, el("p", { "data-outlook": index }, wordsOf(index)));
}

const boardOf = ({ svg, grade }) => {
  const drawn = svgOf(svg);
  drawn.setAttribute("aria-label", grade);
  return el("figure", {}, drawn, el("figcaption", {}, grade));
};

async function fill(place, index, keys) {
  place.textContent = say("samplesWait");
  const boards = await ask("samples", { file: book.file, level: index }).catch(() => []);
  if (shown.size > 60) shown.clear();
  if (boards.length) shown.set(keys, boards);
  place.replaceChildren(...(boards.length ? boards.map(boardOf) : [valueAt(["levels", index, "from"]) ? "" : say("samplesNone")]));
}
