// The player's settings. They are kept on the device, and set as attributes that the style sheet selects by.

const DARK = "(prefers-color-scheme: dark)";
const CHOICES = ["scheme", "palette", "line_width"];

/** Settings as properties. The dialog has a checkbox or radio buttons with the name of each property. */
export class Settings {
  constructor(game) {
    this.game = game;
    this.inputs = [...game.part("settings").querySelectorAll("input")];
    this.inputs.find((input) => input.name === "vibration").closest("p").hidden = !navigator.vibrate;
    game.root.addEventListener("change", ({ target }) => this.change(target));
    matchMedia(DARK).addEventListener("change", () => this.show());
    this.load();
  }

  /** Read the settings from the device. An unknown choice is replaced by the first one. */
  load() {
    const stored = this.game.store.settings();
    for (const { name, type } of this.inputs) {
      const values = this.inputs.filter((input) => input.name === name).map((input) => input.value);
      const value = stored[name];
      this[name] = type === "checkbox" ? value === true : values.includes(value) ? value : values[0];
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
