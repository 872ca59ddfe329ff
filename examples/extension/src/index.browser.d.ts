// The build puts the library's dist/index.browser.js here; the type checker reads the package instead.
export * from "umpire";
