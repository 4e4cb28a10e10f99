"""A provider of models in three formats, with answers that arrive in small parts, for the clients beside this file."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER = "The parcel for bob@example.com ships today."
MASKED = "The parcel for [EMAIL_REDACTED] ships today."
PARTS = [ANSWER[at : at + 7] for at in range(0, len(ANSWER), 7)]
MODEL = "model-1"


def chat(body):
    head = {"id": "c-1", "created": 1, "model": MODEL}
    usage = {"prompt_tokens": 12, "completion_tokens": 9, "total_tokens": 21}
    if not body.get("stream"):
        message = {"role": "assistant", "content": ANSWER}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {**head, "object": "chat.completion", "choices": [choice], "usage": usage}

    def chunk(delta, reason=None):
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return None, {**head, "object": "chat.completion.chunk", "choices": [choice]}

    deltas = [chunk({"role": "assistant", "content": ""})] + [chunk({"content": part}) for part in PARTS]
    total = (None, {**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
    return [*deltas, chunk({}, "stop"), total, (None, "[DONE]")]


def responses(body):
    part = {"type": "output_text", "text": ANSWER, "annotations": []}
    item = {"id": "m-1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    usage = {"input_tokens": 12, "output_tokens": 9, "total_tokens": 21, **details}
    whole = {
        "id": "r-1", "object": "response", "created_at": 1, "model": MODEL, "status": "completed", "output": [item],
        "usage": usage, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
    }  # fmt: skip
    if not body.get("stream"):
        return whole
    place = {"item_id": "m-1", "output_index": 0, "content_index": 0}
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    empty = {**item, "status": "in_progress", "content": []}
    deltas = [{"type": "response.output_text.delta", **place, "delta": text, "logprobs": []} for text in PARTS]
    events = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": empty},
        {"type": "response.content_part.added", **place, "part": {**part, "text": ""}},
        *deltas,
        {"type": "response.output_text.done", **place, "text": ANSWER, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": whole},
    ]
    return [(event["type"], {**event, "sequence_number": at}) for at, event in enumerate(events)]


def messages(body):
    whole = {
        "id": "msg-1", "type": "message", "role": "assistant", "model": MODEL, "stop_reason": "end_turn",
        "stop_sequence": None, "content": [{"type": "text", "text": ANSWER}],
        "usage": {"input_tokens": 12, "output_tokens": 9},
    }  # fmt: skip
    if not body.get("stream"):
        return whole
    begun = {**whole, "content": [], "stop_reason": None, "usage": {"input_tokens": 12, "output_tokens": 1}}
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}} for text in PARTS
    ]
    events = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]
    return [(event["type"], event) for event in events]


FORMATS = {"chat/completions": chat, "responses": responses, "messages": messages}


class Provider(BaseHTTPRequestHandler):
    received = []

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.received.append(text)
        name = next(name for name in FORMATS if self.path.endswith(name))
        answer = FORMATS[name](json.loads(text))
        self.send_response(200)
        self.send_header("Connection", "close")
        self.send_header("Content-Type", "text/event-stream" if isinstance(answer, list) else "application/json")
        self.end_headers()
        if not isinstance(answer, list):
            self.wfile.write(json.dumps(answer).encode())
            return
        for event, data in answer:
            data = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"event: {event}\ndata: {data}\n\n".encode() if event else f"data: {data}\n\n".encode())
            self.wfile.flush()

    def log_message(self, *_):
        pass


def start():
    """Starts the provider. Returns its address and the list of the bodies that it receives."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}", Provider.received
