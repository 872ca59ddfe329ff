import { OF_A_FAMILY, engineSuite } from "./suite.ts";
import { SUITE_MODELS } from "./suite-models.ts";

for (const model of SUITE_MODELS.filter(({ isBuiltIn }) => !isBuiltIn)) {
  engineSuite(`with a model of the family ${model.family}`, {}, model, OF_A_FAMILY);
}
