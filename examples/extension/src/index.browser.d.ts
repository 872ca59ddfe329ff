// The build puts the library's dist/index.browser.js here. The type checker reads the package instead.
export * from "umpire";
