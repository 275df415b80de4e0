// A service worker cannot start workers, so the engine runs in its thread.
import { loadModel } from 'heed/in-thread'

chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true })

async function title() {
  const model = await loadModel()
  const { text } = await model.generate('The Fox and', { seed: 7, maxTokens: 8 })
  await model.dispose()
  return `The Fox and${text}`
}

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  title().then(respond)
  return true // the response is sent later
})
