// What stays on the reader's device: settings, and the progress of each puzzle.

const SETTINGS = "linkpress/settings";

/** localStorage, or nothing at all where the browser keeps none. */
export class Store {
  constructor(storage, book) {
    this.storage = storage;
    this.book = book;
  }

  read(key) {
    try {
      return JSON.parse(this.storage.getItem(key) ?? "null");
    } catch {
      return null;
    }
  }

  write(key, value) {
    try {
      this.storage.setItem(key, JSON.stringify(value));
    } catch {
      // The storage is full or closed: the game goes on without it.
    }
  }

  settings() {
    return { colours: true, timer: true, scheme: "auto", ...this.read(SETTINGS) };
  }

  saveSettings(settings) {
    this.write(SETTINGS, settings);
  }

  /** {history, undone, seconds, solved} of a puzzle, by the mark of its board. */
  progress(mark) {
    const found = this.read(this.key(mark)) ?? {};
    const strokes = (value) => (Array.isArray(value) ? value.filter(Array.isArray) : []);
    return {
      history: strokes(found.history),
      undone: strokes(found.undone),
      seconds: Number(found.seconds) || 0,
      solved: found.solved === true,
    };
  }

  saveProgress(mark, progress) {
    this.write(this.key(mark), progress);
  }

  key(mark) {
    return `linkpress/${this.book}/${mark}`;
  }
}
