// The open book: its text and values as the server has them, and changes of them.

import { ask, send, Refused } from "./api.mjs";

const listeners = new Set();

export const book = { file: "", text: "", version: -1, values: {}, undo: false, redo: false, problems: [], build: null };

export function onBook(listener) { listeners.add(listener); }

function become(state) {
  Object.assign(book, state);
  for (const listener of listeners) listener(book);
}

export async function openBook(file) { become(await ask("book", { file })); }

export async function reload() { become(await ask("book", { file: book.file })); }

/** The value at a path, or undefined. */
export function valueAt(path, values = book.values) {
  return path.reduce((inner, step) => (inner === null || inner === undefined ? undefined : inner[step]), values);
}

let turn = Promise.resolve();

/** Make one change after the other; the answer is what the server says against it, or nothing. */
export function change(kind, path, value) {
  const done = turn.then(() => send("change", { file: book.file, kind, path, value })).then(become);
  turn = done.catch(() => {});
  return done.then(() => "", (fault) => {
    if (fault instanceof Refused) return fault.message;
    throw fault;
  });
}

export async function step(name) { become(await send(name, { file: book.file })); }

export async function writeText(text, version) { become(await send("text", { file: book.file, text, version })); }
