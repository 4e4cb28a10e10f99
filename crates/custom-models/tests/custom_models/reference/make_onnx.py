"""Writes model.onnx: a graph with the inputs of a sequence classifier and outputs that a test can compute by hand.

    pip install onnx && python make_onnx.py

The vector of token i is (0.1 × i, 1, -0.1 × i). The logits are the mean vector of the unmasked tokens plus the sum of the
segment ids.
"""

import numpy
from onnx import TensorProto, checker, helper, numpy_helper, save

TABLE = numpy.array([[0.1 * token, 1.0, -0.1 * token] for token in range(40)], dtype=numpy.float32)
NODES = [
    helper.make_node("Gather", ["table", "input_ids"], ["vectors"]),
    helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
    helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
    helper.make_node("Mul", ["vectors", "column"], ["masked"]),
    helper.make_node("ReduceSum", ["masked", "pieces"], ["sum"], keepdims=0),
    helper.make_node("ReduceSum", ["mask", "pieces"], ["count"], keepdims=1),
    helper.make_node("Div", ["sum", "count"], ["mean"]),
    helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
    helper.make_node("ReduceSum", ["types", "pieces"], ["second"], keepdims=1),
    helper.make_node("Add", ["mean", "second"], ["logits"]),
]
INPUTS = ["input_ids", "token_type_ids", "attention_mask"]
graph = helper.make_graph(
    NODES,
    "classifier",
    [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "pieces"]) for name in INPUTS],
    [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 3])],
    [
        numpy_helper.from_array(TABLE, "table"),
        numpy_helper.from_array(numpy.array([2]), "last"),
        numpy_helper.from_array(numpy.array([1]), "pieces"),
    ],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
checker.check_model(model)
save(model, "model.onnx")
