// What is selected: a part of the book, the key in it that a place on a page comes from, and perhaps one puzzle.

/** The part is a name of the server's list, such as `cover`, or a level by its index: `levels/2`. */
export const selection = { part: "", key: [], puzzle: null };

const listeners = new Set();

export function onSelection(listener) { listeners.add(listener); }

export function select(part, key = [], puzzle = null) {
  const before = { ...selection };
  Object.assign(selection, { part, key, puzzle });
  for (const listener of listeners) listener(before);
}
