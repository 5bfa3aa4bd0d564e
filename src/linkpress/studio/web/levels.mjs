// What a level's card shows beside its fields: what is to be expected, and three boards of its recipe.

import { ask, svgOf } from "./api.mjs";
import { book, change, valueAt } from "./book.mjs";
import { el, marked, say, toast } from "./dom.mjs";
import { refreshForm } from "./form.mjs";

const samples = new Map(); // boards by the keys that they come from, so that a form drawn anew does not flicker; null while they are made
let outlook = [];

/** Take what is to be expected of each level, and show it on the cards that are there. */
export function setOutlook(levels) {
  outlook = levels;
  refreshForm();
}

/** What is to be expected of a level by its index, or of a weekday by its name; of some sizes, each. */
function expected(place) {
  const name = valueAt(["levels", place, "name"]) ?? place;
  return outlook.filter((other) => other.name === name || (name === place && other.name.startsWith(`${name},`))).flatMap((level) => [
    level.time ? el("p", { class: "time" }, say("timeOfLevel", { time: level.time })) : null,
    el("div", { class: "shares" }, bars("gradesOfBoards", level.grades), bars("starsOfBoards", level.stars)),
    el("details", {}, el("summary", {}, say("inWords")), el("p", {}, level.words)),
    level.unlikely || level.unmet ? waysOut(name === place ? ["week", place] : ["levels", Number(place)], level) : null,
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

function waysOut(path, { unmet, ways }) {
  const written = (keys) => Object.entries(keys).map(([key, value]) => `${key}: ${value}`).join(", ");
  return el("div", { class: "unlikely", role: "note" }, ...(unmet ? [el("p", {}, el("strong", {}, say("unmet"))), el("p", {}, ...marked(unmet))] : []), ways.length ? el("p", {}, say(unmet ? "waysOut" : "unlikely")) : null,
    el("div", { class: "tools" }, ...ways.map((keys) => el("button", {
      type: "button", class: "quiet", onclick: async (event) => {
        event.target.closest("fieldset").focus({ preventScroll: true }); // its own place goes with the unlikely recipe
        const refused = await change("merge", path, keys); if (refused) toast(refused);
      },
    }, written(keys)))));
}

/** The place of what is to be expected of a weekday. */
export const outlookOf = (day) => el("div", { class: "outlook" }, ...expected(day));

export function levelExtras(index) {
  const { seed, theme, fonts } = book.values, keys = JSON.stringify([book.file, seed, theme, fonts, valueAt(["levels", index])]);
  const isMade = !book.problems.length && !valueAt(["levels", index, "from"]), boards = samples.get(keys);
  if (isMade && boards === undefined) makeSamples(index, keys);
  const shown = boards?.length ? boards.map(boardOf) : [say(boards ? "samplesNone" : "samplesWait")];
  return el("div", { class: "outlook" }, el("div", { class: "boards", "aria-live": "polite" }, ...(isMade ? shown : [])), ...expected(String(index)));
}

const boardOf = ({ svg, grade }) => {
  const drawn = svgOf(svg);
  drawn.setAttribute("aria-label", grade);
  return el("figure", {}, drawn, el("figcaption", {}, grade));
};

async function makeSamples(index, keys) {
  if (samples.size > 60) samples.clear();
  samples.set(keys, null);
  const { boards, isOutdated } = await ask("samples", { file: book.file, level: index, version: book.version }).catch(() => ({ boards: [] }));
  if (isOutdated) samples.delete(keys);
  else samples.set(keys, boards);
  refreshForm();
}
