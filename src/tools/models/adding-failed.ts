/** Why a model cannot be added. The message is one for people: what was found, and what to do next. */
export class AddingFailed extends Error {
  override readonly name = "AddingFailed";
}
