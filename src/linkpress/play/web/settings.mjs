// What the reader chooses: kept on the device, and shown by attributes that the styles ask for.

const DARK = "(prefers-color-scheme: dark)";
const CHOICES = ["scheme", "palette", "line_width"];

/** Each setting is a property; the dialog has a checkbox of its name, or radio buttons. */
export class Settings {
  constructor(game) {
    this.game = game;
    this.inputs = [...game.part("settings").querySelectorAll("input")];
    this.inputs.find((input) => input.name === "vibration").closest("p").hidden = !navigator.vibrate;
    game.root.addEventListener("change", ({ target }) => this.change(target));
    matchMedia(DARK).addEventListener("change", () => this.show());
    this.take();
  }

  /** Take what is kept; of an unknown choice the first. */
  take() {
    const kept = this.game.store.settings();
    for (const { name, type } of this.inputs) {
      const values = this.inputs.filter((input) => input.name === name).map((input) => input.value);
      this[name] = type === "checkbox" ? kept[name] === true : values.includes(kept[name]) ? kept[name] : values[0];
    }
    this.show();
  }

  change({ name, type, checked, value }) {
    this[name] = type === "checkbox" ? checked : value;
    this.game.store.saveSettings(Object.fromEntries(this.inputs.map((input) => [input.name, this[input.name]])));
    this.show();
  }

  show() {
    const { game } = this;
    const { dataset } = game.part("player");
    for (const name of CHOICES) dataset[name] = this[name];
    dataset.colours = this.colours;
    dataset.dark = this.scheme === "dark" || (this.scheme === "auto" && matchMedia(DARK).matches);
    if (game.isPage) document.documentElement.dataset.dark = dataset.dark;
    game.part("clock").hidden = !this.timer;
    for (const input of this.inputs) {
      input.checked = input.type === "checkbox" ? this[input.name] : this[input.name] === input.value;
    }
  }
}
