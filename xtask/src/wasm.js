// Loads a WebAssembly program that needs nothing but a place to say things, and runs it: node wasm.js PROGRAM.wasm
const fs = require("fs");

const text = new TextDecoder();
let memory;
const host = {
    say: (start, length) => console.log(text.decode(new Uint8Array(memory.buffer, start, length))),
};

WebAssembly.instantiate(fs.readFileSync(process.argv[2]), { host }).then(({ instance }) => {
    memory = instance.exports.memory;
    instance.exports.main(0, 0);
});
