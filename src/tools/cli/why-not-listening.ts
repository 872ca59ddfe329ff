import { CommandFailed } from "./command-failed.ts";

/** The failure of a server that cannot listen at an address, with advice. An error of another kind is returned as it is. */
export function whyNotListening(error: unknown, host: string, port: number): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  switch (code) {
    case "EADDRINUSE":
      return new CommandFailed(`Port ${port} of ${host} is in use. Choose another one with --port, or stop the program that uses it.`);
    case "EACCES":
      return new CommandFailed(
        `This user may not listen on port ${port}. Ports below 1024 are often reserved: choose another one with --port.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new CommandFailed(`${host} is not an address of this machine. Choose one with --host, or 0.0.0.0 for all its addresses.`);
    default:
      return error;
  }
}
