import { AddingFailed } from "../../models/adding-failed.ts";
import { CommandFailed } from "../command-failed.ts";

/** Waits for a task. What is wrong with a model is a failure whose message is for people. */
export async function inWords<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    throw error instanceof AddingFailed ? new CommandFailed(error.message, { cause: error }) : error;
  }
}
