// Building the book: how far it is, what came of it, and the files.

import { send } from "./api.mjs";
import { book } from "./book.mjs";
import { button, byId, el, say } from "./dom.mjs";
import { makeDays } from "./feed.mjs";
import { placeOf, showPage } from "./pages.mjs";

const EMPTY = { running: false, stage: "", words: "", made: 0, findings: [], done: null, failed: "", listing: null };
const state = { ...EMPTY };
let begun = null; // what the server answers to the last build that was asked for; a stop waits for it

export function drawBuild() {
  return el("div", { class: "build", id: "build-panel" }, ...parts());
}

function parts() {
  if (state.running) {
    const count = book.values.levels?.reduce((sum, level) => sum + Number(level.count || 0), 0) ?? 0;
    const done = say("buildMade", { made: Math.min(state.made, count || state.made), count: count || "…" });
    return [el("h2", {}, say(`buildStages.${state.stage || "make"}`)),
      el("progress", { max: count || 1, value: count ? Math.min(state.made, count) : undefined, "aria-label": done }),
      el("p", { role: "status" }, `${done} ${state.words}`),
      button("stop", async () => { await begun; await send("stop", { file: book.file }); })];
  }
  const list = [];
  if (state.done?.days !== undefined) {
    list.push(el("h2", {}, say("feedDone", { days: state.done.days, folder: state.done.folder })), el("ul", {}, ...state.done.files.map((name) => el("li", {}, name))));
    for (const note of state.done.messages) list.push(el("p", {}, note));
  } else if (state.done) list.push(el("h2", {}, say("buildDone", { pages: state.done.pages, folder: state.done.folder })), fileList(state.done.files));
  if (state.failed) list.push(el("h2", {}, say("buildFailed")), el("pre", { class: "fault" }, state.failed));
  if (state.findings.length) list.push(el("h3", {}, say("findings")), el("ul", { class: "problems" }, ...state.findings.map(findingOf)));
  if (state.done?.shop) {
    if (!state.findings.length) list.push(el("p", { class: "good" }, say("buildProven", { count: state.done.proven })));
    for (const note of state.done.messages) list.push(el("p", {}, note));
    list.push(el("h3", {}, say("shop")), el("dl", {}, ...state.done.shop.flatMap(costOf)), ...listing());
  }
  if (book.kind === "feed") return [...list, el("p", {}, say("feedAsk")), button("makeDays", makeDays, { class: "chief" })];
  return [...list, el("p", {}, say("buildAsk")), button("buildGo", startBuild, { class: "chief" })];
}

/** A finding leads to its page or puzzle. */
function findingOf(finding) {
  const page = finding.page ?? placeOf(finding.puzzle);
  const words = [finding.file, finding.page ? say("page", { number: finding.page }) : "", finding.puzzle ? say("puzzle", { number: finding.puzzle }) : ""];
  const shown = [el("strong", {}, words.filter(Boolean).join(", ")), el("span", {}, [finding.found, finding.allowed].filter(Boolean).join("; "))];
  return el("li", {}, page ? el("button", { type: "button", class: "quiet", onclick: () => showPage(page) }, ...shown) : el("p", {}, ...shown));
}

/** A line of the report has its subject in front, in columns of its own. */
function costOf(line) {
  return [el("dt", {}, line.slice(0, 15).trim()), el("dd", {}, line.slice(15))];
}

function listing() {
  if (!state.listing) return [button("listing", async () => { state.listing = await send("listing", { file: book.file }); redraw(); })];
  return [el("h3", {}, say("listing")), ...(state.listing.wanting.length ? [el("ul", { class: "fault" }, ...state.listing.wanting.map((fault) => el("li", {}, fault)))] : []),
    el("pre", { class: "sheet", tabindex: "0" }, state.listing.text), el("p", {}, say("listingFiles", { files: state.listing.files.join(", ") }))];
}

function fileList(files) {
  const link = (name, keep) => `/api/file?${new URLSearchParams({ file: book.file, name, ...(keep ? { keep: "1" } : {}) })}`;
  return el("ul", { class: "files" }, ...files.filter((name) => /\.(pdf|epub|txt|json)$/.test(name)).map((name) =>
    el("li", {}, el("span", {}, name), " ", el("a", { href: link(name), target: "_blank", rel: "noopener" }, say("open")), " ",
      el("a", { href: link(name, true), download: name }, say("save")))));
}

export async function startBuild() {
  Object.assign(state, EMPTY, { running: true, stage: "make" });
  redraw();
  try {
    begun = send("build", { file: book.file });
    await begun;
  } catch (fault) {
    Object.assign(state, { running: false, failed: fault.message });
    redraw();
  }
}

/** Take a report of the book's job; tell whether puzzles may have come. */
export function hearJob(kind, report) {
  if (kind === "build" || kind === "feed") {
    if (report.event === "begun") Object.assign(state, EMPTY, { running: true, stage: "make" });
    if (report.event === "stage") state.stage = report.name;
    if (report.event === "made") state.made += 1;
    if (report.event === "waiting") state.words = report.words;
    if (report.event === "done") Object.assign(state, { running: false, done: report, findings: report.findings ?? [] });
    if (report.event === "failed") Object.assign(state, { running: false, failed: report.message, findings: report.findings ?? [] });
    if (report.event === "stopped") Object.assign(state, { running: false, failed: say("buildStopped") });
    redraw();
  }
  return ["made", "done"].includes(report.event);
}

let waiting = false;

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    const panel = byId("build-panel");
    if (!panel) return;
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceChildren(...parts());
    if (hadFocus) panel.querySelector("button")?.focus();
  });
}

export function resetBuild(running) {
  Object.assign(state, EMPTY, { running: ["build", "feed"].includes(running) });
}

