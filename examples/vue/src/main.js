import { createApp } from 'vue'
import Story from './Story.vue'

createApp(Story).mount('#app')
