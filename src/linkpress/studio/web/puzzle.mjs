// One puzzle: what it is, its answer and steps, and another one in its place.

import { ask, drawing } from "./api.mjs";
import { book, change, valueAt } from "./book.mjs";
import { button, byId, el, openDialog, say, toast } from "./dom.mjs";

const before = new Map(); // the board that a puzzle had when it was replaced first, by its book and number
let shown = { number: 0, which: 0 };

const keyOf = (number) => `${book.file} ${number}`;

const replacementOf = (number) => Number(valueAt(["replace", String(number)]) ?? 0);

export async function openPuzzle(number, isAgain = false) {
  const which = replacementOf(number);
  let told, board;
  try {
    [told, board] = await Promise.all([ask("puzzle", { file: book.file, number }), drawing({ file: book.file, what: "board", number })]);
  } catch (fault) {
    if (!isAgain) toast(fault.message);
    return;
  }
  shown = { number, which };
  const rows = [["grade", told.grade], ["stars", told.stars], ["size", told.size], ["fingerprint", told.fingerprint], ["ledger", told.ledger]];
  const place = el("div", { class: "compare" });
  const old = before.get(keyOf(number));
  if (old) place.append(el("figure", {}, old, el("figcaption", {}, say("before"))));
  const now = el("figure", {}, board, el("figcaption", {}, old ? say("now") : ""));
  place.append(now, el("dl", {}, ...rows.filter(([, value]) => value).flatMap(([word, value]) => [el("dt", {}, say(word)), el("dd", {}, value)])));
  const steps = el("div", { class: "steps" }), waiting = el("p", { class: "meaning", role: "status" });
  let isAnswer = false;
  const answer = button("showAnswer", async () => {
    isAnswer = !isAnswer;
    answer.textContent = say(isAnswer ? "hideAnswer" : "showAnswer");
    now.firstElementChild.replaceWith(await drawing({ file: book.file, what: isAnswer ? "answer" : "board", number }));
  });
  const dialog = openDialog(say("puzzle", { number }), place,
    el("div", { class: "tools" },
      answer,
      el("a", { class: "button", href: `/api/play?${new URLSearchParams({ file: book.file, number })}`, target: "_blank", rel: "noopener" }, say("play")),
      button("showSteps", async () => { steps.replaceChildren(await drawing({ file: book.file, what: "steps", number })); }),
      told.given ? null : button("another", () => { waiting.textContent = say("anotherWait"); replaceBy(number, which + 1, board); }, { class: "chief" }),
      which ? button("backAgain", () => replaceBy(number, 0, null)) : null),
    waiting, steps);
  dialog.addEventListener("close", () => { shown = { number: 0, which: 0 }; }, { once: true });
}

async function replaceBy(number, which, board) {
  if (board && !before.has(keyOf(number))) before.set(keyOf(number), board.cloneNode(true));
  if (!which) before.delete(keyOf(number));
  const path = ["replace", String(number)];
  const refused = which ? await change("set", path, String(which)) : await change("unset", path);
  if (refused) toast(refused);
}

/** Show the puzzle that came in the place of the one in the dialog. */
export function refreshPuzzle() {
  if (byId("dialog").open && shown.number && shown.which !== replacementOf(shown.number)) openPuzzle(shown.number, true);
}
