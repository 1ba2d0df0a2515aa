/** Each run in a thread of its own: one of them dies, which it is told honestly, and the others do not notice. */
import { deepEqual, equal } from 'node:assert/strict';
import { createHost } from 'steerloop/worker';

// #region host
const host = createHost({ maxThreads: 2 });
// Functions cannot cross into a thread, so the thread loads the agent from a module: `export default defineAgent({ … })`.
const agent = new URL('./agents/unreliable.mjs', import.meta.url).href;
const healthy = await host.start({ agent, input: '4', key: 'healthy' });
const dying = await host.start({ agent, input: '0', key: 'dying' });

const crash = await dying.result;
console.log(`${crash.reason} · ${crash.error?.code} · ${crash.error?.message}`);
console.log((await healthy.result).final_content);
// #endregion

equal(crash.reason, 'crashed');
equal(crash.error?.code, 'thread_exited');
equal((await healthy.result).final_content, 'The result is 3.');

// Every event up to the crash is there, and the end was written by the host.
const seen: string[] = [];
for await (const event of dying.events()) if ('seq' in event) seen.push(`${event.type}${event.origin === 'host' ? ' (host)' : ''}`);
console.log(seen.join(', '));
deepEqual(seen, ['run_started', 'iteration_started', 'llm_turn', 'tool_call', 'tool_started', 'done (host)']);

// The place is free again: the same host goes on.
const next = await host.start({ agent, input: '3', key: 'dying' });
console.log((await next.result).final_content);
equal((await next.result).final_content, 'The result is 4.');
await host.close();
