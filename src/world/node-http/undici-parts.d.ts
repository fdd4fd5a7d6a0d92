/** The parts of undici that are loaded by path: the whole package costs as much as two starts of Node. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import { ProxyAgent } from 'undici'
  export default ProxyAgent
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import { Dispatcher } from 'undici'
  export default Dispatcher
}

declare module 'undici/lib/api/api-connect.js' {
  import { Dispatcher } from 'undici'
  const connect: Dispatcher['connect']
  export default connect
}
