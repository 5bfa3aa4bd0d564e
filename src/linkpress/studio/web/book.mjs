// The open book: its text and values as the server has them, and changes of them.

import { ask, send, Refused } from "./api.mjs";

const listeners = new Set();

export const book = { file: "", text: "", version: -1, turn: 0, values: {}, undo: false, redo: false, problems: [], build: null, pictures: [] };

export function onBook(listener) { listeners.add(listener); }

let wanted = ""; // the file of the book that is open, or of the one that is being opened
let last = Promise.resolve(), waiting = 0, newest = null;

/** Do one thing with the book after the other; it is shown as the last of them leaves it, and never as it was between. */
function inTurn(task) {
  tellWaiting(1);
  const done = last.then(task).then((state) => { if (state.file === wanted) newest = state; return state; }).finally(() => {
    tellWaiting(-1);
    const state = newest;
    if (waiting || !state) return;
    newest = null;
    become(state);
  });
  last = done.catch(() => {});
  return done;
}

function tellWaiting(more) {
  waiting += more;
  document.body.classList.toggle("writing", waiting > 0);
}

function become(state) {
  const isOlder = state.file === book.file && state.turn < book.turn; // than what was heard of a build meanwhile
  Object.assign(book, state, isOlder ? { turn: book.turn, build: book.build, elsewhere: book.elsewhere } : {});
  for (const listener of listeners) listener(book);
}

/** Resolve when everything that was changed is written. */
export const settled = () => last;

export const isSettled = () => !waiting;

export function closeBook() { wanted = book.file = ""; newest = null; }

export async function openBook(file) {
  [wanted, newest] = [file, null];
  await reload();
  while (waiting) await last; // what was asked meanwhile, before which it is not shown
}

export function reload(file = wanted) { return inTurn(() => ask("book", { file })); }

/** The value at a path, or undefined. */
export function valueAt(path, values = book.values) {
  return path.reduce((inner, step) => (inner === null || inner === undefined ? undefined : inner[step]), values);
}

/** Make a change; the answer is what the server says against it, or nothing. */
export function change(kind, path, value) {
  const { file } = book;
  return inTurn(() => send("change", { file, kind, path, value })).then(() => "", (fault) => {
    if (fault instanceof Refused) return fault.message;
    throw fault;
  });
}

export function step(name, { file } = book) { return inTurn(() => send(name, { file })); }

/** Write the text that there is when its turn comes, made from a version of the file; the answer has its new one. */
export function writeText(textAndVersion, { file } = book) { return inTurn(() => send("text", { file, ...textAndVersion() })); }
