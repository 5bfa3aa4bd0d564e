// The list of books and feeds of the folder, and dialogs for new ones.

import { ask, drawing, send, svgOf } from "./book.mjs";
import { progressWords } from "./build.mjs";
import { button, byId, chief, el, nameOf, openDialog, quiet, refill, say, toast, today } from "./dom.mjs";
import { open } from "./main.mjs";

const fronts = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
    fronts.unobserve(target);
    firstOf(target.dataset).then((drawn) => drawn && refill(target, drawn), () => {});
  }
});

/** Draw the cover of a book, or its first page, or the next board of a feed. */
const firstOf = async ({ file, kind }) => (kind === "book" ? drawing({ file, what: "front" }) : svgOf((await ask("day", { file, day: today(), next: 1 })).svg));

const frontOf = ({ path, kind, state, cover }) => (cover ? el("img", { src: `api/thumbnail?${new URLSearchParams({ file: path, made: cover })}`, alt: "" })
  : el("span.front", { "aria-hidden": "true", "data-kind": kind, "data-file": state !== "rough" && path, "data-own": true }));

const change = (content) => send("file_change", content).catch(({ message }) => toast(message));

/** Draw the menu of a book: to rename, copy or discard its file. */
function menuOf({ path, title, kind, is_volume: isVolume }) {
  const rename = () => { const name = prompt(say("fileName"), path.split("/").at(-1).replace(/\.\w+$/, "")); if (name) change({ kind: "rename", file: path, name }); };
  return el("details.menu", { id: `menu-${path}`, name: "menu" }, el("summary", { "aria-label": say("menuOf", { title }) }, "…"),
    el("div", { onclick: () => { byId(`menu-${path}`).open = false; } }, quiet("shelfMenu.rename", rename), ["copy", "new", "volume", "discard"].filter((each) => (each === "volume" ? isVolume : kind === "book" || each === "discard"))
      .map((each) => quiet(`shelfMenu.${each}`, () => change({ kind: each, file: path })))));
}

export async function drawShelf() {
  const { folder, specs, trash, examples, guide } = await ask("shelf");
  const cards = specs.map((spec) => el("li", el("button.book", { id: `spec-${spec.path}`, onclick: () => open(spec.path) },
    frontOf(spec), el("strong", spec.title), el("span", spec.path), el(`span.state.${spec.state}`, spec.build ? progressWords(spec.build) : say(`states.${spec.state}`))), menuOf(spec)));
  const starts = examples.map((name) => el("li", el("button.book.example", { onclick: () => askTitle(say(`exampleNames.${name}`), { like: name }) },
    el("img", { src: `examples/${name}-cover.png`, alt: "", width: 150, loading: "lazy" }), el("strong", say(`exampleNames.${name}`)))));
  refill(byId("shelf"),
    el(specs.length ? "h2" : "p", say(specs.length ? "yourBooks" : "noBooks", { folder })), el("ul.shelf", cards),
    trash.length > 0 && el("p.tools", { role: "status" }, say("inTrash"), trash.map((file) => el("button.quiet", { onclick: () => change({ kind: "restore", file }) }, say("putBack", { file })))),
    el("h2", say("newBook")), el("p", say("guideHint")),
    el("p", chief("guide", () => askTitle(say("guide"), {}, guide))), el("p", say("newHint")), el("ul.shelf", starts));
  for (const front of byId("shelf").querySelectorAll("[data-file]")) fronts.observe(front);
}

export function showBuildOf(file, build) {
  const state = byId(`spec-${file}`)?.querySelector(".state");
  if (state) state.textContent = progressWords(build);
}

/** Ask for the title of a new book, and questions with a list of answers each. */
function askTitle(label, content, questions = {}) {
  const error = el("p.error", { role: "alert" }), select = (name, choices) => el("select", { id: `guide-${name}`, name },
    choices.map((choice) => el("option", { value: choice, selected: name === "language" && choice === "en" }, nameOf(name === "hardness" ? name : "choices", choice))));
  const create = async (event) => {
    event.preventDefault();
    const { title, ...answers } = Object.fromEntries(new FormData(event.target));
    try {
      const { file } = await send("new", { ...content, title, ...(Object.keys(answers).length && { answers }) });
      dialog.close();
      open(file);
    } catch (refusal) { error.textContent = refusal.message; }
  };
  const dialog = openDialog(label, el("form.fields", { onsubmit: create },
    Object.entries(questions).map(([name, choices]) => el("div.field", el("label", { for: `guide-${name}` }, say(`guideQuestions.${name}`)), select(name, choices))),
    el("div.field", el("label", { for: "new-title" }, say("titleOfNew")), el("input", { id: "new-title", name: "title", required: true, maxlength: 120, autocomplete: "off" }), error),
    el("div.tools", el("button.chief", { type: "submit" }, say("create")), button("cancel", () => dialog.close()))));
  dialog.querySelector("select, input").focus();
}
