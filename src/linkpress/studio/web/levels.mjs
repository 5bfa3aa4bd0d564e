// What a level's card shows beside its fields: what is to be expected, and three boards of its recipe.

import { ask, svgOf } from "./api.mjs";
import { book, change, valueAt } from "./book.mjs";
import { el, refill, say, toast } from "./dom.mjs";

const shown = new Map(); // drawn boards by the level's keys, so that a form drawn anew does not flicker
let outlook = [];

/** Take what is to be expected of each level, and show it on the cards that are there. */
export function setOutlook(levels) {
  outlook = levels;
  document.querySelectorAll("[data-outlook]").forEach((place) => refill(place, ...expected(place.dataset.outlook)));
}

/** What is to be expected of a level by its index, or of a weekday by its name; of some sizes, each. */
function expected(place) {
  const name = valueAt(["levels", place, "name"]) ?? place;
  return outlook.filter((other) => other.name === name || (name === place && other.name.startsWith(`${name},`))).flatMap((level) => [
    level.time ? el("p", { class: "time" }, say("timeOfLevel", { time: level.time })) : null,
    el("div", { class: "shares" }, bars("gradesOfBoards", level.grades), bars("starsOfBoards", level.stars)),
    el("details", {}, el("summary", {}, say("inWords")), el("p", {}, level.words)),
    level.unlikely ? waysOut(name === place ? ["week", place] : ["levels", Number(place)], level.ways) : null,
  ]).filter(Boolean);
}

/** A bar for each grade or number of stars that boards of the recipe get; those that are asked for stand out. */
function bars(word, shares) {
  if (!shares.length) return null;
  return el("figure", { class: "bars" }, el("figcaption", {}, say(word)), el("ul", {}, ...shares.map(([label, share, isWanted]) => {
    const bar = el("i", {}), percent = share && share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`;
    bar.style.width = `${Math.max(share ? 2 : 0, 100 * share)}%`;
    return el("li", { class: isWanted ? "wanted" : "" }, el("span", {}, label), el("span", { class: "bar", "aria-hidden": "true" }, bar), el("span", {}, percent));
  })));
}

function waysOut(path, ways) {
  const written = (keys) => Object.entries(keys).map(([key, value]) => `${key}: ${value}`).join(", ");
  return el("div", { class: "unlikely", role: "note" }, el("p", {}, say("unlikely")),
    el("div", { class: "tools" }, ...ways.map((keys) => el("button", {
      type: "button", class: "quiet", onclick: async (event) => {
        event.target.closest("fieldset").focus({ preventScroll: true }); // its own place goes with the unlikely recipe
        const refused = await change("merge", path, keys); if (refused) toast(refused);
      },
    }, written(keys)))));
}

/** The place of what is to be expected of a weekday. */
export const outlookOf = (day) => el("div", { class: "outlook", "data-outlook": day }, ...expected(day));

export function levelExtras(index) {
  const keys = JSON.stringify([book.values.seed, valueAt(["levels", index])]);
  const boards = el("div", { class: "boards", "aria-live": "polite" });
  const known = shown.get(keys);
  if (known) boards.append(...known.map(boardOf));
  else fill(boards, index, keys);
  return el("div", { class: "outlook" }, boards, el("div", { "data-outlook": index }, ...expected(String(index))));
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
