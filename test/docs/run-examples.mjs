// Runs the modules whose addresses it is given, one after the other in one process. Prints a JSON line for each: what it printed, and what it failed with.
const streams = { stdout: process.stdout, stderr: process.stderr };
const print = process.stdout.write.bind(process.stdout);

for (const address of process.argv.slice(2)) {
  const result = { stdout: "", stderr: "" };
  for (const [name, stream] of Object.entries(streams)) {
    stream.write = (text) => {
      result[name] += text;
      return true;
    };
  }
  try {
    await import(address);
  } catch (error) {
    result.stderr += String(error?.stack ?? error);
  }
  print(`${JSON.stringify(result)}\n`);
}
