/** The folder of the model's pack, with a slash at its end: for `createDecider({ model })` where umpire does not find this package by itself. */
declare const pack: URL;
export default pack;
