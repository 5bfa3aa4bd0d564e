// The forecast of a level as a graph of difficulties with a slider, and three sample boards of its recipe.

import { ask, svgOf } from "./api.mjs";
import { allDone, book, change, edit, valueAt } from "./book.mjs";
import { byId, el, marked, quiet, say, toast } from "./dom.mjs";
import { selection } from "./selection.mjs";

const MOST_POINTS = [19, 29, 39, 59]; // of each difficulty but the last
// Sample boards by the keys that they depend on; null while they are being made. Without it, cards would flicker.
const samples = new Map();
let outlook = [], faulty = new Set(), turn = 0, redraw = () => {};
let trial = null; // the ends of a slider that is being moved, and the forecast with them when it has come

export function onLevels(listener) { redraw = listener; }

export function setOutlook(levels, problems) {
  const isOld = ({ name }) => problems.length && !levels.some((level) => level.name === name); // a wrong book has no forecast
  outlook = [...levels, ...outlook.filter(isOld)];
  if (trial?.isKept) trial = null;
  faulty = new Set(problems.filter(({ key }) => key[0] === "levels").map(({ key }) => key[1]));
  redraw();
}

/** Draw the forecast of a level or of a weekday, given its path. Each size of a weekday has a forecast. */
export function outlookOf(path) {
  const place = String(path[1]), name = valueAt([...path, "name"]) ?? place, tried = trial?.id === String(path) ? trial : null;
  const shown = outlook.filter((other) => other.name === name || (name === place && other.name.startsWith(`${name},`)));
  return el("div.outlook", shown.flatMap((level, index) => [
    graphOf(path, tried?.levels?.find((other) => other.name === level.name) ?? level, tried, index === 0),
    level.unlikely || level.unmet || level.impossible ? waysOut(path, level) : "",
  ]));
}

/** Return the index of the easiest and of the hardest difficulty that a value such as `easy-medium` or `25-34` allows. */
function endsOf(value, difficulties) {
  const names = difficulties.map(([name]) => name), taken = difficulties.flatMap(([, , isTaken], index) => (isTaken ? [index] : []));
  const ends = /^(\w+)(?:-(\w+))?$/.exec(typeof value === "string" ? value : "")?.slice(1).map((end = "") => (/^\d+$/.test(end) ? MOST_POINTS.filter((most) => end > most).length : names.indexOf(end)));
  if (!ends || ends[0] < 0) return [taken[0] ?? 0, taken.at(-1) ?? names.length - 1];
  return [ends[0], Math.max(...ends)];
}

const shareWords = (share) => (share < 5e-4 ? say("none") : share < 0.01 ? say("oneIn", { count: Math.round(1 / share) }) : `${Math.round(100 * share)}%`);

function graphOf(path, level, tried, isChosen) {
  const { difficulties } = level, last = difficulties.length - 1;
  if (last < 0) return timeOf(level);
  const ends = tried?.ends ?? endsOf(valueAt([...path, "difficulty"]), difficulties), [low, high] = ends, id = `graph-${path.join("-")}`;
  const isTaken = (index) => index >= low && index <= high, most = Math.max(...difficulties.map(([, share]) => share));
  const row = (draw) => el("div.row", difficulties.map((each, index) => el(isTaken(index) ? "span.taken" : "span", draw(each))));
  const sized = (share) => { const bar = el("i"); bar.style.height = `${share < 5e-4 ? 0 : Math.max(3, 64 * Math.sqrt(share / most))}px`; return bar; };
  const move = (which, index, isDone) => {
    const to = Math.min(last, Math.max(0, index)), next = which ? [Math.min(trial?.ends[0] ?? low, to), to] : [to, Math.max(trial?.ends[1] ?? high, to)];
    choose(path, next, difficulties, isDone);
  };
  const end = (which) => el("input", {
    type: "range", class: "end", id: `${id}-${which}`, min: 0, max: last, value: String(ends[which]), "aria-label": say(which ? "hardest" : "easiest"), "aria-valuetext": difficulties[ends[which]][0],
    oninput: ({ target }) => move(which, Number(target.value), false), onchange: ({ target }) => move(which, Number(target.value), true),
    onkeydown: (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!by || !event.shiftKey) return; // without Shift, the browser moves this end
      event.preventDefault();
      move(1 - which, Number(byId(`${id}-${1 - which}`).value) + by, true);
    },
  });
  const slider = el("div.slider", el("i"), end(0), end(1));
  slider.style.setProperty("--low", low);
  slider.style.setProperty("--high", high);
  return el(`div.graph${level.impossible || level.unmet ? ".bad" : ""}`, { id, role: "group", "aria-label": say("difficulty") },
    row(([, share]) => [shareWords(share), sized(share)]), isChosen && slider, row(([name]) => [name]), sentenceOf(path, level, ends));
}

function sentenceOf(path, level, [low, high]) {
  const { difficulties, impossible } = level, share = difficulties.slice(low, high + 1).reduce((sum, each) => sum + each[1], 0);
  const names = [...new Set([difficulties[low][0], difficulties[high][0]])].join(` ${say(high - low > 1 ? "to" : "or")} `);
  if (impossible) return el("p", { role: "status" }, reasonOf(path, level));
  const often = share > 0.9 ? say("nearlyAll", { names }) : say(share < 0.02 ? "rareBoards" : "someBoards", { names, count: Math.round(1 / Math.max(share, 1e-6)) });
  return el("p", { role: "status" }, low === 0 && high === difficulties.length - 1 ? say("anyBoards") : often, " ", timeOf(level));
}

function reasonOf(path, { impossible, ways: [way] }) {
  const { size, paths } = valueAt(path), word = way.size ? "tooSmall" : way.solids ? "tooSolid" : way.paths && paths ? "tooMany" : "impossible";
  return say(word, { difficulty: impossible, size: size ? sizeWords(size) : "", paths });
}

function timeOf({ count, time_s: seconds }) {
  if (seconds === null || seconds === undefined) return null;
  const [, word, unit] = [[1, "noTime", 1], [90, "seconds", 1], [5400, "minutes", 60], [Infinity, "hours", 3600]].find(([most]) => seconds < most);
  return el("span", say("timeOfLevel", { count, time: say(word, { count: Math.round(seconds / unit) }) }));
}

/** Try or keep the difficulties between two ends. Trying writes nothing. */
async function choose(path, ends, difficulties, isDone) {
  const own = trial = { id: String(path), ends, levels: trial?.levels }, isAny = ends[1] - ends[0] === difficulties.length - 1;
  const key = [...path, "difficulty"], value = isAny ? "0-100" : [...new Set(ends.map((index) => difficulties[index][0]))].join("-");
  const written = isDone && (isAny ? change("unset", key) : change("set", key, value)); // before the next key is pressed
  redraw();
  own.levels = await ask("outlook", { file: book.file, path: JSON.stringify(key), value }).catch(() => own.levels);
  if (trial === own) redraw();
  if (!isDone) return;
  const refused = await written;
  await allDone();
  own.isKept = true;
  if (refused) { toast(refused); trial = null; redraw(); }
}

const forecastOf = (name) => outlook.find((level) => level.name === name);

/** Say in a few words that the puzzles of a level can't be made, or probably not all of them; empty if they can. */
export function hopeOf(index) {
  const { unmet, unlikely, impossible } = forecastOf(valueAt(["levels", index, "name"])) ?? {};
  return unmet || impossible ? say("notMade") : unlikely ? say("hardlyMade") : "";
}

export const faultOf = (index) => hopeOf(index) || (faulty.has(index) ? say("hasProblem") : "");

export const sizeWords = (size) => [size].flat().map((one) => String(one).replace(/^\d+$/, "$&x$&").replace("x", " × ")).join(", ");

function wayWords({ size, paths, solids, difficulty, effort, otherwise, ...others }) {
  const range = (text) => text.replace("-", ` ${say("to")} `), written = Object.entries(others).map(([key, value]) => `${key}: ${value}`);
  return [size && say("waySize", { size: sizeWords(size) }), paths && say(size ? "wayWithPairs" : "wayPairs", { count: range(paths) }),
    solids && say(solids === "0" ? "wayNoSolids" : "waySolids", { count: range(solids) }), difficulty && say("wayDifficulty", { difficulty }), effort && say(size || paths ? "wayAndEffort" : "wayEffort"), otherwise && say("wayNearest"), ...written].filter(Boolean).join(", ");
}

function waysOut(path, { unmet, impossible, ways }) {
  return el("div", { role: "note" }, unmet && el("p.error", marked(unmet)), ways.length > 0 && el("h3", say(unmet || impossible ? "waysOut" : "unlikely")),
    el("div.ways", ways.map((keys) => el("button", {
      onclick: async (event) => {
        event.target.closest("fieldset").focus({ preventScroll: true }); // the button disappears with the unlikely recipe
        await edit("merge", path, keys);
      },
    }, wayWords(keys)))));
}

export function samplesOf(index) {
  const { seed, theme, fonts } = book.values, keys = JSON.stringify([book.file, seed, theme, fonts, turn, valueAt(["levels", index])]);
  if (book.problems.length || valueAt(["levels", index, "from"])) return null;
  const boards = samples.get(keys);
  if (boards === undefined) makeSamples(index, keys);
  return el("section.samples", el("div.tools", el("h3", say("boardsLike")), quiet("showOthers", () => { turn += 1; redraw(); }, { disabled: !boards })),
    el("div.boards", { "aria-live": "polite" }, boards?.length ? boards.map(boardOf) : say(boards ? "samplesNone" : "samplesWait")),
    forecastOf(valueAt(["levels", index, "name"]))?.warnings?.map((why) => el("p.unlikely", { role: "note" }, marked(why))));
}

const boardOf = ({ svg, difficulty }) => {
  const drawn = svgOf(svg);
  drawn.setAttribute("aria-label", difficulty);
  return el("figure", drawn, el("figcaption", difficulty));
};

async function makeSamples(level, keys) {
  if (samples.size > 60) samples.clear();
  samples.set(keys, null);
  const { boards, isOutdated } = await ask("samples", { file: book.file, level, turn, version: book.version }).catch(() => ({ boards: [] }));
  if (isOutdated) samples.delete(keys);
  else samples.set(keys, boards);
  redraw();
}
