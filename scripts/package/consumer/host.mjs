/** Runs the agent beside this file in a thread of its own and prints what it came to. */
import { createHost } from 'steerloop/worker';

const host = createHost();
const run = await host.start({ agent: new URL('./agent.mjs', import.meta.url).href, input: 'What is an owl?' });
const results = [];
for await (const event of run.events()) if (event.type === 'tool_result') results.push(event);
const { reason, final_content } = await run.result;
await host.close();
console.log(JSON.stringify({ reason, final_content, result: results[0]?.content, outcome: results[0]?.outcome }));
