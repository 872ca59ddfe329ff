/** The folder of the model's pack. */
export default new URL("./umpire-3-base/", import.meta.url);
