// The books and feeds of the folder, and the dialog for new ones.

import { ask, drawing, send } from "./book.mjs";
import { showTab } from "./build.mjs";
import { all, askForm, byId, el, nodesOf, refill, say, templateOf, toast, today } from "./dom.mjs";
import { open } from "./main.mjs";

const fronts = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
    fronts.unobserve(target);
    firstOf(target.dataset).then((drawn) => drawn && refill(target, drawn), () => {});
  }
});

const firstOf = async ({ file, kind }) => (kind === "book" ? drawing({ file, what: "front" }) : nodesOf((await ask("day", { file, day: today(), next: 1 })).svg));

export function changeFile(kind, file) {
  const menu = byId(`menu-${file}`), change = async (answers) => {
    const { html, label, path } = await send("file_change", { kind, file, ...answers });
    if (label) return askForm(label, nodesOf(html), change);
    toast(...nodesOf(html));
    await drawShelf();
    return `spec-${path}`;
  };
  if (menu) menu.open = false;
  change().catch(({ message }) => toast(message));
}

byId("shelf").onkeydown = ({ key, target }) => {
  const kind = { F2: "rename", Delete: "discard" }[key];
  if (kind && target.dataset.fileName) changeFile(kind, target.dataset.fileName);
};

export async function drawShelf() {
  const { html, specs } = await ask("shelf");
  refill(byId("shelf"), nodesOf(html));
  findBooks();
  if (!location.hash) showTab();
  for (const { path, build } of specs) if (build) showBuildOf(path, build);
  for (const front of all(byId("shelf"), "[data-file]")) fronts.observe(front);
}

const search = byId("search"), findBooks = search.oninput = () => {
  for (const { textContent, parentElement } of all(byId("shelf"), "[data-file-name]")) parentElement.hidden = !textContent.toLowerCase().includes(search.value.toLowerCase());
};

export function showBuildOf(file, build) {
  const book = byId(`spec-${file}`);
  if (!book) return;
  refill(book.querySelector(".state"), el("img", { src: build.icon, alt: "" }), build.told);
  if (!location.hash) showTab(book.querySelector("strong").textContent, build);
}

export async function dropSpec(file) {
  if (/\.ya?ml$/i.test(file?.name)) await send("new", { name: file.name, text: await file.text() });
  else toast(say("dropSpec"));
}

/** Ask for the title of a new book and, unless it is like an example, the questions about it. */
export function askTitle(like, label) {
  const content = templateOf("new-book");
  if (like) for (const question of all(content[0], ".question")) question.remove();
  askForm(label, content, async ({ title, ...answers }) => {
    open((await send("new", { title, ...(like ? { like } : { answers }) })).file);
  });
}
