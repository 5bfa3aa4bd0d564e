// The books of the folder, and new ones.

import { ask, send } from "./api.mjs";
import { button, byId, el, openDialog, say } from "./dom.mjs";

const STATES = { new: "stateNew", built: "stateBuilt", changed: "stateChanged", faulty: "stateFaulty" };

export async function drawShelf(open) {
  const { folder, specs, examples } = await ask("shelf");
  const cards = specs.map((spec) => el("li", {}, el("button", { type: "button", class: "book", disabled: spec.kind === "feed", onclick: () => open(spec.path) },
    spec.state === "built" ? el("img", { src: `/api/thumbnail?${new URLSearchParams({ file: spec.path })}`, alt: "", onerror: (event) => event.target.remove() }) : null,
    el("strong", {}, spec.title), el("span", {}, spec.path),
    el("span", { class: `state ${spec.state}` }, say(spec.kind === "feed" ? "kindFeed" : STATES[spec.state])))));
  const starts = examples.map((name) => el("li", {}, el("button", { type: "button", class: "book example", onclick: () => begin(name, open) },
    el("img", { src: `/examples/${name}-cover.png`, alt: "", width: 150, loading: "lazy" }), el("strong", {}, say(`exampleNames.${name}`)))));
  byId("shelf").replaceChildren(
    el("h2", {}, specs.length ? say("yourBooks", { folder }) : say("noBooks")), el("ul", { class: "shelf" }, ...cards),
    el("h2", {}, say("newBook")), el("p", {}, say("newHint")), el("ul", { class: "shelf" }, ...starts));
}

function begin(like, open) {
  const fault = el("p", { class: "fault", role: "alert" });
  const title = el("input", { id: "new-title", required: true, maxlength: 120, autocomplete: "off" });
  const dialog = openDialog(say(`exampleNames.${like}`), el("form", {
    class: "fields", onsubmit: async (event) => {
      event.preventDefault();
      try {
        const { file } = await send("new", { like, title: title.value });
        dialog.close();
        open(file);
      } catch (refused) { fault.textContent = refused.message; }
    },
  }, el("div", { class: "field" }, el("label", { for: "new-title" }, say("titleOfNew")), title, fault),
  el("div", { class: "tools" }, el("button", { class: "chief" }, say("create")), button("cancel", () => dialog.close()))));
  title.focus();
}
