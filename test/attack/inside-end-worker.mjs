// Loaded by a server's process: ends the model's worker when a signal asks for it.
let last;
process.on("worker", (worker) => (last = worker));
process.on("SIGUSR2", () => void last?.terminate());
