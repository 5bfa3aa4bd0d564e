// The list of books and feeds of the folder, and dialogs for new ones.

import { ask, drawing, send, svgOf } from "./api.mjs";
import { progressWords } from "./build.mjs";
import { button, byId, el, nameOf, openDialog, quiet, refill, say, toast, today } from "./dom.mjs";

const pages = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
    pages.unobserve(target);
    firstOf(target.dataset).then((drawn) => drawn && refill(target, drawn), () => {});
  }
});

async function firstOf({ file, kind }) {
  if (kind === "book") return drawing({ file, what: "front" });
  const days = await ask("calendar", { file, from: today(), days: 7 });
  return svgOf((await ask("day", { file, day: days.find(({ number }) => number !== null).day })).svg);
}

/** Draw the front of a book: its cover, or its first page if it has none; for a feed its next board. */
function frontOf(spec) {
  if (spec.cover) return el("img", { src: `api/thumbnail?${new URLSearchParams({ file: spec.path, made: spec.cover })}`, alt: "" });
  return el("span", { class: "front", "aria-hidden": "true", "data-kind": spec.kind, "data-file": spec.state !== "rough" && spec.path, "data-own": true });
}

const act = (content) => send("file_change", content).catch((refusal) => toast(refusal.message));

/** Draw the menu of a book: to rename, copy or discard its file. */
function menuOf({ path, title, kind, is_volume: isVolume }) {
  const rename = () => { const name = prompt(say("fileName"), path.split("/").at(-1).replace(/\.\w+$/, "")); if (name) act({ kind: "rename", file: path, name }); };
  return el("details.menu", { id: `menu-${path}`, name: "menu" }, el("summary", { "aria-label": say("menuOf", { title }) }, "…"),
    el("div", { onclick: () => { byId(`menu-${path}`).open = false; } }, quiet("shelfMenu.rename", rename), ["copy", "new", "volume", "discard"].filter((each) => (each === "volume" ? isVolume : kind === "book" || each === "discard"))
      .map((each) => quiet(`shelfMenu.${each}`, () => act({ kind: each, file: path })))));
}

export async function drawShelf(open) {
  const { folder, specs, trash, examples, guide } = await ask("shelf");
  const cards = specs.map((spec) => el("li", el("button.book", { id: `spec-${spec.path}`, onclick: () => open(spec.path) },
    frontOf(spec), el("strong", spec.title), el("span", spec.path),
    el("span", { class: `state ${spec.state}` }, spec.build ? progressWords(spec.build) : say(`states.${spec.state}`))), menuOf(spec)));
  const starts = examples.map((name) => el("li", el("button.book.example", { onclick: () => begin(name, open) },
    el("img", { src: `examples/${name}-cover.png`, alt: "", width: 150, loading: "lazy" }), el("strong", say(`exampleNames.${name}`)))));
  refill(byId("shelf"),
    specs.length ? el("h2", say("yourBooks", { folder })) : el("p", say("noBooks", { folder })), el("ul.shelf", cards),
    trash.length > 0 && el("p.tools", { role: "status" }, say("inTrash"), trash.map((file) => el("button.quiet", { onclick: () => act({ kind: "restore", file }) }, say("putBack", { file })))),
    el("h2", say("newBook")), el("p", say("guideHint")),
    el("p", button("guide", () => askGuide(guide, open), { class: "chief" })), el("p", say("newHint")), el("ul.shelf", starts));
  for (const front of byId("shelf").querySelectorAll("[data-file]")) pages.observe(front);
}

export function showBuildOf(file, build) {
  const state = byId(`spec-${file}`)?.querySelector(".state");
  if (state) state.textContent = progressWords(build);
}

function askGuide(guide, open) {
  const answers = {};
  const questions = Object.entries(guide).map(([name, choices]) => {
    const select = el("select", { id: `guide-${name}`, onchange: (event) => { answers[name] = event.target.value; } },
      choices.map((choice) => el("option", { value: choice }, nameOf(name === "hardness" ? name : "choices", choice))));
    answers[name] = choices[0];
    if (name === "language" && choices.includes("en")) { select.value = "en"; answers[name] = "en"; }
    return el("div.field", el("label", { for: `guide-${name}` }, say(`guideQuestions.${name}`)), select);
  });
  askTitle(say("guide"), questions, (title) => ({ title, answers }), open);
}

function begin(like, open) {
  askTitle(say(`exampleNames.${like}`), [], (title) => ({ like, title }), open);
}

function askTitle(label, questions, content, open) {
  const error = el("p.error", { role: "alert" });
  const title = el("input", { id: "new-title", required: true, maxlength: 120, autocomplete: "off" });
  const dialog = openDialog(label, el("form", {
    class: "fields", onsubmit: async (event) => {
      event.preventDefault();
      try {
        const { file } = await send("new", content(title.value));
        dialog.close();
        open(file);
      } catch (refusal) { error.textContent = refusal.message; }
    },
  }, questions, el("div.field", el("label", { for: "new-title" }, say("titleOfNew")), title, error),
  el("div.tools", el("button.chief", { type: "submit" }, say("create")), button("cancel", () => dialog.close()))));
  (questions.length ? dialog.querySelector("select") : title).focus();
}
