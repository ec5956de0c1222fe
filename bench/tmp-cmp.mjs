import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpuTimeOf } from './cpu-time.js';
import { loadWithWrk } from './load/wrk.js';
import { SCENARIOS } from './scenarios.js';
import * as S from './scenarios.js';
const [names, rounds, seconds, ...subjects] = process.argv.slice(2);
const all = [...SCENARIOS, S.GET];
const procs = [];
for (const s of subjects) { const [tree, name] = s.split(':'); const p = spawn('taskset', ['-c', '0', 'node', 'serve.js', name], { cwd: tree + '/bench', stdio: ['ignore', 'pipe', 'inherit'] }); const [d] = await once(p.stdout, 'data'); procs.push({ s, p, port: Number(String(d).trim()) }); }
const med = (a) => a.sort((x, y) => x - y)[a.length >> 1];
for (const n of names.split(',')) {
  const sc = all.find((x) => x.name === n); const r = procs.map(() => []);
  for (let i = 0; i <= +rounds; i++) for (const [k, { p, port }] of procs.entries()) {
    const b = cpuTimeOf(p.pid).user; const l = await loadWithWrk(`http://127.0.0.1:${port}`, sc, { seconds: +seconds, connections: 32, core: 1 });
    const u = (cpuTimeOf(p.pid).user - b) / (l.requests ?? l.count); if (i > 0) r[k].push(u);
  }
  console.log(n, procs.map(({ s }, k) => `${s} ${med([...r[k]]).toFixed(1)} ÷first ${med(r[k].map((x, i) => x / r[0][i])).toFixed(2)} [${Math.min(...r[k].map((x, i) => x / r[0][i])).toFixed(2)}–${Math.max(...r[k].map((x, i) => x / r[0][i])).toFixed(2)}]`).join(' | '));
}
for (const { p } of procs) p.kill();
