// The build of the book: its progress, its result and its files.

import { send } from "./api.mjs";
import { book, save, settled } from "./book.mjs";
import { button, byId, el, marked, nameOf, refill, say } from "./dom.mjs";
import { makeDays, makeWords } from "./feed.mjs";
import { placeOf, showPage } from "./pages.mjs";

let sheet = null; // the sheet for a shop's upload form, of the build that is shown

export function drawBuild() {
  return el("div.build", { id: "build-panel" }, ...parts());
}

function parts() {
  const { build } = book, end = build?.end;
  if (build && !end) return progressOf(build);
  const list = [];
  if (end?.event === "stopped") list.push(el("h2", say("buildStopped")));
  if (end?.event === "failed") list.push(el("h2", say("buildFailed")), el("pre.error", end.message));
  if (end?.event === "done") list.push(...resultOf(end));
  if (end?.findings?.length) list.push(el("h3", say("findings")), el("ul.problems", ...end.findings.map(findingOf)));
  if (end?.shop) list.push(...shopOf(end));
  return [...list, el("p", say(book.kind === "feed" ? "feedAsk" : "buildAsk")),
    book.kind === "feed" && !makeWords() ? null : button(book.kind === "feed" ? makeWords() : "buildGo", book.kind === "feed" ? makeDays : startBuild, { class: "chief" })];
}

export const isBuilding = () => Boolean(book.build && !book.build.end);

export const stopBuild = () => send("stop", { file: book.file });

export const progressWords = ({ stage, made, count, words }) => [say(`buildStages.${stage}`), stage === "make" && count ? [say("madeOf", { made, count }), words].filter(Boolean).join(", ") : ""].filter(Boolean).join(": ");

function progressOf({ stage, made, count, words, notes, unmet, isRequested }) {
  const madeText = count ? say("buildMade", { made, count }) : "";
  return [el("h2", say(`buildStages.${stage}`)),
    el("progress", { max: count || 1, value: count ? made : undefined, "aria-label": say(`buildStages.${stage}`) }),
    el("p", { role: "status" }, [madeText, words].filter(Boolean).join("; ")), ...notes.map((note) => el("p", ...marked(note))),
    ...(unmet.length ? [el("div.unlikely", { role: "alert" }, el("p", el("strong", say("unmetBuild"))), ...unmet.map((why) => el("p", ...marked(why))))] : []),
    el("p.meaning", say("buildGoOn")), button("stop", stopBuild, { disabled: Boolean(isRequested) })];
}

function resultOf(end) {
  const files = end.shop ? fileList(end.files) : el("ul", ...end.files.map((name) => el("li", name)));
  return [el("h2", say(end.shop ? "buildDone" : "feedDone", end)), files,
    ...(end.editions ?? []).map(({ folder, files: names }) => el("p", say("edition", { folder, files: names.join(", ") }))), ...end.messages.map((note) => el("p", ...marked(note)))];
}

function shopOf(end) {
  return [end.findings.length ? null : el("p.good", say("buildProven", { count: end.proven })),
    el("h3", say("shop")), el("dl", ...end.shop.flatMap(costOf)), ...listing()].filter(Boolean);
}

function findingOf(finding) {
  const page = finding.page ?? placeOf(finding.puzzle);
  const words = [finding.file, finding.page ? say("page", { number: finding.page }) : "", finding.puzzle ? say("puzzle", { number: finding.puzzle }) : ""];
  const shown = [el("strong", words.filter(Boolean).join(", ")), el("span", [finding.found, finding.allowed].filter(Boolean).join("; "))];
  return el("li", page ? el("button.quiet", { onclick: () => showPage(page) }, ...shown) : el("p", ...shown));
}

/** Split a line of the report into its subject, which has the first 15 columns, and its text. */
function costOf(line) {
  return [el("dt", line.slice(0, 15).trim()), el("dd", ...marked(line.slice(15)))];
}

function listing() {
  if (sheet?.file !== book.file) return [button("listing", async () => { sheet = { file: book.file, ...await send("listing", { file: book.file }) }; refreshBuild(); })];
  return [el("h3", say("listing")), sheet.problems.length ? el("ul.error", ...sheet.problems.map((problem) => el("li", problem))) : null,
    el("pre.sheet", { tabindex: "0" }, sheet.text), el("p", say("listingFiles", { files: sheet.files.join(", ") }))];
}

function fileList(files) {
  const link = (name, keep) => `api/file?${new URLSearchParams({ file: book.file, name, ...(keep ? { keep: "1" } : {}) })}`;
  return el("ul.files", ...files.filter((name) => /\.(pdf|epub|txt|json)$/.test(name)).map((name) =>
    el("li", el("strong", name), el("span", nameOf("files", name, "")), el("a", { href: link(name), target: "_blank", rel: "noopener" }, say("open")),
      el("a", { href: link(name, true), download: name }, say("save")))));
}

export async function startBuild() {
  const { file, build } = book;
  showProgress({ stage: "make", made: 0, count: 0, words: "", notes: [], unmet: [], end: null, isRequested: true });
  try {
    await settled();
    if (!book.saved) await save();
    await send("build", { file });
  } catch (error) {
    if (file === book.file) showProgress(build);
    throw error;
  }
}

/** Show the progress of a build, which may have begun before this window was opened. */
export function showProgress(build) {
  book.build = build;
  sheet = null;
  refreshBuild();
}

export function refreshBuild() {
  const panel = byId("build-panel");
  if (panel) refill(panel, ...parts());
}
