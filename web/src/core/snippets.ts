/** What stands in the examples where no key was made on this page. */
export const KEY_PLACEHOLDER = "YOUR_KEY";

const EVENT_JSON = `{"name":"hello","_actor":"user_1","properties":{"plan":"pro"}}`;
const LOG_JSON = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"hello","attributes":[{"key":"user.id","value":{"stringValue":"user_1"}},{"key":"plan","value":{"stringValue":"pro"}}]}]}]}]}`;

/** Return the examples that send one event, each runnable as it is; a bot's begins where its library has made `bot`. */
export function snippets(origin: string, key: string): { name: string; code: string }[] {
  return [
    { name: "Python", code: pythonCode(origin, key) },
    { name: "Discord bot", code: discordCode(origin, key) },
    { name: "curl", code: curlCommand(`${origin}/v1/events`, key, EVENT_JSON) },
    { name: "JavaScript", code: javaScriptCode(origin, key) },
    { name: "OTLP", code: otlpCode(origin, key) },
  ];
}

function pythonCode(origin: string, key: string): string {
  return [
    `# pip install tallyroom-client`,
    `from tallyroom_client import Tallyroom`,
    ``,
    `tallyroom = Tallyroom("${key}", "${origin}")`,
    `tallyroom.track("hello", actor="user_1", properties={"plan": "pro"})`,
  ].join("\n");
}

function discordCode(origin: string, key: string): string {
  return [
    `# pip install tallyroom-client`,
    `from tallyroom_client import Tallyroom`,
    `from tallyroom_client.discord import attach`,
    ``,
    `attach(bot, Tallyroom("${key}", "${origin}"))`,
  ].join("\n");
}

function curlCommand(address: string, key: string, body: string): string {
  return [
    `curl ${address} \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${body}'`,
  ].join("\n");
}

function javaScriptCode(origin: string, key: string): string {
  return [
    `fetch("${origin}/v1/events", {`,
    `  method: "POST",`,
    `  headers: { "Authorization": "Bearer ${key}", "Content-Type": "application/json" },`,
    `  body: JSON.stringify({ name: "hello", _actor: "user_1", properties: { plan: "pro" } }),`,
    `}).then((response) => console.log(response.status));`,
  ].join("\n");
}

function otlpCode(origin: string, key: string): string {
  return [
    `# Every OpenTelemetry SDK reads these.`,
    `export OTEL_EXPORTER_OTLP_ENDPOINT="${origin}"`,
    `export OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer ${key}"`,
    `export OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf"`,
    ``,
    `# One log record, without an SDK:`,
    curlCommand(`${origin}/v1/logs`, key, LOG_JSON),
  ].join("\n");
}
