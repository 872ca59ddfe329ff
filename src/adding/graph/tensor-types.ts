/** Types of tensors by their number in onnx.proto. Those that no model of ours has are left out. */
export const TENSOR_TYPES: { readonly [number: number]: TensorType } = {
  1: "float32",
  2: "uint8",
  3: "int8",
  6: "int32",
  7: "int64",
  10: "float16",
  11: "float64",
  16: "bfloat16",
  21: "uint4",
  22: "int4",
};

export type TensorType = "float32" | "uint8" | "int8" | "int32" | "int64" | "float16" | "float64" | "bfloat16" | "uint4" | "int4";
