"""The MCP Python SDK, with the stateless protocol and with the handshake."""

import asyncio

import httpx
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from setup import ORDER, guarded


async def session(base, key, mode):
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as http:
        transport = streamable_http_client(f"{base}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            assert tools == ["guard_check", "mask_pii", "unmask"], tools
            checked = await client.call_tool("guard_check", {"text": ORDER})
            assert checked.structured_content["overall_decision"] == "block", checked
            masked = await client.call_tool("mask_pii", {"text": "to jane@example.com"})
            assert masked.structured_content["masked_text"] == "to [EMAIL_REDACTED]", masked


async def main():
    base, key = guarded("mcp")
    for mode in ["legacy", "2026-07-28"]:
        await session(base, key, mode)


asyncio.run(main())
