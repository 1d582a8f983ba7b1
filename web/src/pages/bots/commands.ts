/** What stands in the examples where no token was made, and no bot chosen. */
export const TOKEN_PLACEHOLDER = "YOUR_TOKEN";
export const BOT_ID_PLACEHOLDER = "YOUR_BOT_ID";

/** Return the ways to feed a bot and to read the listing, each runnable as it is. The profile, which creates the bot, is the first. */
export function feedCommands(origin: string, token: string, botId: string): { name: string; code: string }[] {
  const botAddress = `${origin}/chat/bots/${botId}`;
  return [
    // A profile is merged: of a bot that is there, it must change nothing that the example only makes up.
    { name: "Profile", code: curlCommand("PUT", botAddress, token, botId === BOT_ID_PLACEHOLDER ? '{"name": "Teapot", "prefix": "!", "tags": ["fun", "games"]}' : '{"prefix": "!"}') },
    { name: "Counters", code: curlCommand("POST", `${botAddress}/stats`, token, '{"server_count": 1200, "shard_count": 2}') },
    { name: "Vote", code: curlCommand("POST", `${botAddress}/votes`, token, '{"userId": "140862798832861184", "username": "Robin"}') },
    { name: "Webhook", code: webhookHelp(`${botAddress}/votes`, token) },
    { name: "SDK", code: curlCommand("POST", `${origin}/api/bots/${botId}/stats`, token, '{"server_count": 1200}') },
    { name: "topstats", code: topstatsCode(origin, token, botId) },
  ];
}

function curlCommand(verb: string, address: string, token: string, body: string): string {
  return [`curl -X ${verb} ${address} \\`, `  -H "Authorization: ${token}" \\`, `  -H "Content-Type: application/json" \\`, `  -d '${body}'`].join("\n");
}

function webhookHelp(address: string, token: string): string {
  return [
    `# In the webhook settings of a bot list (top.gg and others), enter this URL:`,
    address,
    ``,
    `# For "Authorization", enter a token with the bot scope:`,
    token,
    ``,
    `# If the list signs its webhooks, store its secret for the bot instead of using a token.`,
  ].join("\n");
}

function topstatsCode(origin: string, token: string, botId: string): string {
  return [
    `import asyncio, topstats`,
    ``,
    `topstats.client.BASE_URL = "${origin}"`,
    ``,
    `async def main():`,
    `    async with topstats.Client("${token}") as client:`,
    `        print(await client.get_bot(${botId}))`,
    ``,
    `asyncio.run(main())`,
  ].join("\n");
}
