// The build of the book: its progress, the screen of the finished book, and its files.

import { ask, send } from "./api.mjs";
import { addressOf, book, edit, save, settled, tileOf, valueAt } from "./book.mjs";
import { button, byId, copyText, el, marked, nameOf, quiet, refill, say } from "./dom.mjs";
import { makeDays, makeWords } from "./feed.mjs";
import { problemList } from "./main.mjs";
import { placeOf, showPage, showView } from "./pages.mjs";

const NO_PUZZLE = 3; // exit code of linkpress if no puzzle was found for a recipe
let sheet = null, earnings = null; // the answers for a shop's upload form and what a copy earns, of the finished book

export const drawBuild = () => el("div.build", { id: "build-panel" }, parts());

export const isFinished = () => book.kind === "book" && book.build?.end?.event === "done";

function parts() {
  const { build } = book, end = build?.end;
  if (build && !end) return progressOf(build);
  return [...(end ? resultParts(end) : []), ...(isFinished() ? [] : startParts())];
}

function resultParts(end) {
  return [...outcomeParts(end), ...(end.findings?.length ? [el("h3", say("findings")), el("ul.problems", end.findings.map(findingOf))] : []),
    ...(end.messages ?? []).map((note) => el("p", marked(note)))];
}

function outcomeParts(end) {
  if (end.event === "failed") return [el("h2", say("buildFailed")), ...reasonsOf(end)];
  if (end.event !== "done") return [el("h2", say("buildStopped"))];
  return book.kind === "feed" ? [el("h2", say("feedDone", end))] : saleSteps(end);
}

/** Say why a build failed, with the names of fields and without advice on keys where the message would have both. */
function reasonsOf({ problems, message, exit_code: code }) {
  if (problems?.length) return [problemList(problems)];
  return code === NO_PUZZLE && book.build.unmet.length ? book.build.unmet.map((why) => el("p.error", why)) : [el("pre.error", message)];
}

function startParts() {
  const [question, word, start] = book.kind === "feed" ? ["feedAsk", makeWords(), makeDays] : ["buildAsk", "buildGo", startBuild];
  return [el("p.meaning", say(question)), word && button(word, start, { class: "chief" })];
}

export const isBuilding = () => Boolean(book.build && !book.build.end);

export const stopBuild = () => send("stop", { file: book.file });

export const progressWords = ({ stage, made, count, words }) => [say(`buildStages.${stage}`), stage === "make" && count ? [say("madeOf", { made, count }), words].filter(Boolean).join(", ") : ""].filter(Boolean).join(": ");

function progressOf({ stage, made, count, words, notes, unmet, isRequested }) {
  const stages = ["make", "lay out", "draw", "verify"], now = stages.indexOf(stage === "write" ? "draw" : stage), madeText = count ? say("buildMade", { made, count }) : "";
  return [el("ol.stages", stages.map((each, index) => el("li", { class: index < now ? "done" : "", "aria-current": index === now && "step" }, say(`buildStages.${each}`)))),
    el("progress", { max: count || 1, value: count ? made : undefined, "aria-label": say(`buildStages.${stage}`) }),
    el("p", { role: "status" }, [madeText, words].filter(Boolean).join(", ")), ...notes.map((note) => el("p", marked(note))),
    ...(book.facts?.made ?? []).map(([name, done, all]) => el("label.made", name, el("span", done === all ? say("levelDone") : say("madeOf", { made: done, count: all })), el("progress", { max: all, value: done }))),
    unmet.length > 0 && el("div.unlikely", { role: "alert" }, el("p", el("strong", say("unmetBuild"))), unmet.map((why) => el("p", marked(why)))),
    el("p.meaning", say("buildGoOn")), button("stop", stopBuild, { disabled: Boolean(isRequested) })];
}

export function drawFinished() {
  const { end } = book.build, [chief, others] = [/^(interior|cover)\.pdf$/, /^(?!interior|cover).*\.(pdf|epub|txt|json)$/].map((kind) => end.files.filter((name) => kind.test(name)));
  const missing = ["epub", "screen", "play"].filter((medium) => !valueAt([medium]));
  const rowOf = (name) => el("li", el("strong", nameOf("files", name, name)), el("span", name === "interior.pdf" ? say("fileOfPages", { name, pages: end.pages }) : name),
    el("a.button", { href: addressOf("file", { name }), target: "_blank", rel: "noopener" }, say("look")), el("a.button", { href: addressOf("file", { name, keep: 1 }), download: name }, say("save")));
  if (!earnings) loadEarnings();
  return el("div.finished", { id: "finished" },
    el("figure", valueAt(["cover"]) && el("img", { src: tileOf({ what: "front" }), alt: "" }), el("figcaption", say("finishedFacts", { pages: end.pages, count: end.proven })), quiet("turnPages", () => showView("page"))),
    el("div", el("h2", say(end.findings.length ? "buildFaulty" : "buildDone")), el("p.good", say("buildProven", { count: end.proven })),
      el("ul.files", chief.map(rowOf)), el("p.tools", el("a.button.chief", { href: addressOf("zip"), download: "" }, say("saveAll"))),
      others.length > 0 && el("details", el("summary", say("moreFiles", { count: others.length })), el("ul.files", others.map(rowOf))),
      end.editions.map(({ folder, files }) => el("p.meaning", say("edition", { folder, files: files.join(", ") }))),
      earnings?.rows.length > 0 && drawEarnings(earnings),
      el("h3", say("makeMore")), el("p.tools", quiet("addEditionShort", () => byId("part-editions").click()), missing.map((medium) => button(`media.${medium}`, () => setKey([medium], "yes"))))));
}

function drawEarnings({ rows, source }) {
  const setPrice = (currency, value) => setKey(["price", currency], value), better = rows.find(({ step }) => step);
  return [el("h3", say("earnings")), el("table", el("thead", el("tr", ["soldIn", "printing", "price", "share", "earn"].map((word) => el("th", { scope: "col" }, say(`sale.${word}`))))),
    el("tbody", rows.map(({ name, currency, cost, least, price, share, left }) => el("tr", el("th", { scope: "row" }, name), el("td", cost),
      el("td", el("input", { id: `price-${name}`, value: valueAt(["price", currency]) ?? "", placeholder: least, inputmode: "decimal", "aria-label": `${say("sale.price")}, ${name}`, onchange: ({ target }) => setPrice(currency, target.value) })),
      el("td", share), el("td", el("strong", left ?? (price ? say("sale.tooLow", { least }) : ""))))))),
  better && el("div.advice", say("sale.better", { price: better.step, left: better.left_at_step }), quiet("sale.take", () => setPrice(better.currency, better.step.split(" ")[0]))),
  el("p.meaning", say("sale.source", { source }))];
}

async function setKey(path, value) {
  await edit(value === "" ? "unset" : "set", path, value || undefined);
  loadEarnings();
}

async function loadEarnings() {
  const { file } = book, found = await ask("earnings", { file }).catch(() => ({ rows: [] }));
  if (file !== book.file || JSON.stringify(found) === JSON.stringify(earnings)) return;
  earnings = found;
  if (byId("finished")) refill(byId("stage"), drawFinished());
}

function saleSteps(end) {
  const answers = sheet?.file === book.file ? Object.entries(sheet.fields).filter(([, text]) => typeof text === "string" && text.trim()) : [];
  return [el("h2", say("shop")), el("ol.steps", el("li", say("sale.save")), el("li", say("sale.start")),
    el("li", say("sale.fill"), " ", answers.length ? el("span.tools", answers.map(([name, text]) => quiet(name, () => copyText(text), { title: text }))) : button("listing", async () => { sheet = { file: book.file, ...await send("listing", { file: book.file }) }; refreshBuild(); })),
    el("li", say("sale.upload"), end.shop.filter((line) => !line.startsWith("cost")).map((line) => el("p.meaning", marked(line.slice(15))))), el("li", say("sale.prices"))),
  sheet?.problems.length > 0 && el("div.unlikely", el("h3", say("sale.missing")), sheet.problems.map((problem) => el("p", problem)))];
}

function findingOf(finding) {
  const page = finding.page ?? placeOf(finding.puzzle);
  const words = [finding.file, finding.page ? say("page", { number: finding.page }) : "", finding.puzzle ? say("puzzle", { number: finding.puzzle }) : ""];
  const shown = [el("strong", words.filter(Boolean).join(", ")), el("span", [finding.found, finding.allowed].filter(Boolean).join("; "))];
  return el("li", page ? el("button.quiet", { onclick: () => showPage(page) }, shown) : el("p", shown));
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
  sheet = earnings = null;
  refreshBuild();
  if (byId("build-panel") && isFinished()) showView("finished");
}

export function refreshBuild() {
  const panel = byId("build-panel");
  if (panel) refill(panel, parts());
}
