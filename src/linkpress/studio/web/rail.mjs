// The rail: the parts of the book in their order, each with its chief facts and its first page.

import { book, valueAt } from "./book.mjs";
import { button, byId, el, nameOf, quiet, refill, say } from "./dom.mjs";
import { addLevel, moveLevel, nameOfPart, partNames } from "./form.mjs";
import { hasCover } from "./gallery.mjs";
import { faultOf, sizeWords } from "./levels.mjs";
import { pageOf, thumbOf } from "./pages.mjs";
import { selection } from "./selection.mjs";

const rail = byId("rail");
let go = () => {};

/** Draw the rail. A click on a part calls `goTo` with its name. */
export function drawRail(goTo = go) {
  go = goTo;
  const names = partNames(), levels = names.filter((name) => name.startsWith("levels/"));
  const list = (items) => el("ul", items.map((item) => el("li", item)));
  const first = names.indexOf(levels[0]), last = names.indexOf(levels.at(-1)), count = levels.map(levelAt).reduce((sum, level) => sum + Number(level?.count ?? 0), 0);
  drawGlance(levels);
  if (book.kind === "feed") { refill(rail, list(names.map(partButton))); return; }
  refill(rail, list(names.slice(0, Math.max(0, first)).map(partButton)),
    el("h2", say("partLevels"), count > 0 && el("span", say("countOfPuzzles", { count }))),
    el("ul.chain", levels.map((name) => el("li", partButton(name)))), quiet("addLevel", addLevel, { id: "add-level" }),
    el("h2", say("partsBehind")), list(names.slice(last + 1).map(partButton)));
}

/** Draw the name and facts of the selected part and the rings of all levels, which a phone shows below the page. */
function drawGlance(levels) {
  const name = selection.part, level = name.startsWith("levels/") ? levelAt(name) : null;
  const ring = (each, index) => el("button", { onclick: () => go(each), "aria-current": each === name && "true" }, el("span.ring", { "aria-hidden": "true" }, String(index + 1)), nameOfPart(each));
  refill(byId("glance"), el("div", el("h2", nameOfPart(name)), el("p", level ? levelFacts(level) : factsOf(name))), button("change", () => go(name, true), { id: "change", class: "chief" }), el("div.rings", levels.map(ring)));
}

const levelAt = (name) => valueAt(name.split("/"));

function partButton(name) {
  const level = name.startsWith("levels/") ? levelAt(name) : null, isSelected = name === selection.part;
  const page = pageOf(name), index = Number(name.split("/")[1]), fault = level ? faultOf(index) : "";
  const drop = (event) => {
    const from = event.dataTransfer.getData("text/level");
    if (!from) return; // a picture, but no level
    event.preventDefault();
    if (Number(from) !== index) moveLevel(Number(from), index);
  };
  return el("button", {
    id: `part-${name.replace("/", "-")}`, class: ["part", level && "level", fault && "bad"].filter(Boolean).join(" "), "aria-current": isSelected && "true", tabindex: isSelected ? 0 : -1, onclick: () => go(name),
    ...(level && { draggable: "true", ondragstart: (event) => event.dataTransfer.setData("text/level", String(index)), ondragover: (event) => event.preventDefault(), ondrop: drop }),
  },
    level && el("span.ring", { "aria-hidden": "true" }, fault ? "!" : String(index + 1)),
    book.kind === "book" && thumbOf(name), el("span.name", nameOfPart(name)), el("span.page", page ? String(page) : ""),
    el("span.facts", fault || (level ? levelFacts(level) : factsOf(name))));
}

const levelFacts = ({ count, size }) => [count && say("countOfPuzzles", { count }), size && sizeWords(size)].filter(Boolean).join(" · ");

function factsOf(name) {
  const at = (...path) => valueAt(path), choice = (value) => (typeof value === "string" ? nameOf("choices", value) : "");
  if (name === "whole") return [at("page", "trim"), choice(at("page", "printer"))].filter(Boolean).join(", ");
  if (name === "looks") return choice(at("theme", "base") ?? at("theme") ?? "classic");
  if (name === "cover") return hasCover() ? nameOf("designs", at("cover", "design") ?? "") || say("plainCover") : say("none");
  if (name === "editions") return Object.keys(at("editions") ?? {}).map((one) => nameOf("choices", one)).join(", ");
  return book.kind === "book" ? nameOf("partFacts", name, "") : "";
}

rail.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], part = event.target.closest(".part");
  if (!step || !part) return;
  event.preventDefault();
  const parts = [...rail.querySelectorAll(".part")], names = partNames(), at = parts.indexOf(part), [list, from] = names[at].split("/");
  if (!event.altKey) parts[at + step]?.focus();
  else if (list === "levels" && names[at + step]?.startsWith("levels/")) moveLevel(Number(from), Number(from) + step, true);
});
