// The forecast of a level, and three sample boards of its recipe, which its card shows beside the fields.

import { ask, svgOf } from "./api.mjs";
import { book, change, valueAt } from "./book.mjs";
import { el, marked, say, toast } from "./dom.mjs";

// Sample boards by the keys that they depend on; null while they are being made. Without it, cards would flicker.
const samples = new Map();
let outlook = [], redraw = () => {};

/** Call a function when forecasts or boards have changed. */
export function onLevels(listener) { redraw = listener; }

/** Set the forecast of each level, and show it on the cards. */
export function setOutlook(levels) {
  outlook = levels;
  redraw();
}

/** Draw the forecast of a level, given its index, or of a weekday, given its name. Each size has a forecast. */
function forecasts(place) {
  const name = valueAt(["levels", place, "name"]) ?? place;
  return outlook.filter((other) => other.name === name || (name === place && other.name.startsWith(`${name},`))).flatMap((level) => [
    level.time ? el("p", { class: "time" }, say("timeOfLevel", { time: level.time })) : null,
    el("div", { class: "shares" }, bars("difficultiesOfBoards", level.difficulties)),
    ...(level.warnings ?? []).map((why) => el("p", { class: "unlikely", role: "note" }, ...marked(why))),
    el("details", {}, el("summary", {}, say("inWords")), el("p", {}, level.words)),
    level.unlikely || level.unmet ? waysOut(name === place ? ["week", place] : ["levels", Number(place)], level) : null,
  ]).filter(Boolean);
}

/** Draw a bar for each difficulty, as long as its share of the boards. Accepted ones are highlighted. */
function bars(word, shares) {
  if (!shares.length) return null;
  return el("figure", { class: "bars" }, el("figcaption", {}, say(word)), el("ul", {}, ...shares.map(([label, share, isAccepted]) => {
    const bar = el("i", {}), percent = share && share < 0.01 ? "< 1 %" : `${Math.round(100 * share)} %`;
    bar.style.width = `${Math.max(share ? 2 : 0, 100 * share)}%`;
    return el("li", { class: isAccepted ? "accepted" : "" }, el("span", {}, label), el("span", { class: "bar", "aria-hidden": "true" }, bar), el("span", {}, percent));
  })));
}

function waysOut(path, { unmet, ways }) {
  const written = (keys) => Object.entries(keys).map(([key, value]) => `${key}: ${value}`).join(", ");
  return el("div", { class: "unlikely", role: "note" }, ...(unmet ? [el("p", {}, el("strong", {}, say("unmet"))), el("p", {}, ...marked(unmet))] : []), ways.length ? el("p", {}, say(unmet ? "waysOut" : "unlikely")) : null,
    el("div", { class: "tools" }, ...ways.map((keys) => el("button", {
      type: "button", class: "quiet", onclick: async (event) => {
        event.target.closest("fieldset").focus({ preventScroll: true }); // the button disappears with the unlikely recipe
        const refused = await change("merge", path, keys); if (refused) toast(refused);
      },
    }, written(keys)))));
}

/** Draw the forecast of a weekday. */
export const outlookOf = (day) => el("div", { class: "outlook" }, ...forecasts(day));

export function levelExtras(index) {
  const { seed, theme, fonts } = book.values, keys = JSON.stringify([book.file, seed, theme, fonts, valueAt(["levels", index])]);
  const isMade = !book.problems.length && !valueAt(["levels", index, "from"]), boards = samples.get(keys);
  if (isMade && boards === undefined) makeSamples(index, keys);
  const shown = boards?.length ? boards.map(boardOf) : [say(boards ? "samplesNone" : "samplesWait")];
  return el("div", { class: "outlook" }, el("div", { class: "boards", "aria-live": "polite" }, ...(isMade ? shown : [])), ...forecasts(String(index)));
}

const boardOf = ({ svg, difficulty }) => {
  const drawn = svgOf(svg);
  drawn.setAttribute("aria-label", difficulty);
  return el("figure", {}, drawn, el("figcaption", {}, difficulty));
};

async function makeSamples(index, keys) {
  if (samples.size > 60) samples.clear();
  samples.set(keys, null);
  const { boards, isOutdated } = await ask("samples", { file: book.file, level: index, version: book.version }).catch(() => ({ boards: [] }));
  if (isOutdated) samples.delete(keys);
  else samples.set(keys, boards);
  redraw();
}
