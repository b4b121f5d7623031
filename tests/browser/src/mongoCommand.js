/** Sends commands of MongoDB's protocol, as OP_MSG, without a driver. */
import { once } from 'node:events'
import { connect } from 'node:net'

const OP_MSG = 2013

/** Runs a command on the database `admin`; fails unless MongoDB reports success. */
export async function command(port, body) {
  const message = Buffer.concat([Buffer.alloc(5), document({ ...body, $db: 'admin' })])
  const header = Buffer.alloc(16)
  header.writeInt32LE(message.length + header.length, 0)
  header.writeInt32LE(OP_MSG, 12)
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write(Buffer.concat([header, message]))
    const [answer] = await once(socket, 'data')
    if (answer.includes('errmsg')) {
      throw new Error(`${Object.keys(body)[0]}: ${answer}`)
    }
  } finally {
    socket.destroy()
  }
}

/** Encodes an object of strings, 32-bit integers, arrays and objects as BSON. */
function document(fields) {
  const body = Buffer.concat(Object.entries(fields).map(([name, value]) => element(name, value)))
  return Buffer.concat([int32(body.length + 5), body, Buffer.alloc(1)])
}

function element(name, value) {
  if (typeof value === 'number') {
    return typed(0x10, name, int32(value))
  }
  if (typeof value === 'string') {
    return typed(0x02, name, Buffer.concat([int32(Buffer.byteLength(value) + 1), cstring(value)]))
  }
  return typed(Array.isArray(value) ? 0x04 : 0x03, name, document(value))
}

function typed(type, name, value) {
  return Buffer.concat([Buffer.from([type]), cstring(name), value])
}

function cstring(text) {
  return Buffer.from(`${text}\0`)
}

function int32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
